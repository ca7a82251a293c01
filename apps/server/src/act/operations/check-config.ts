import { AppError, type Problem } from '@qd/core/errors'
import { checkInput } from '@qd/core/fields'
import { server } from '@qd/core/resources'
import { texts } from '../../kernel/texts.ts'
import { invalid } from '../../store/records/input.ts'

const { input } = server.actions.config!.args!

/**
 * The configuration that is to be merged into an agent's own, as the text it was given in. Keys that the form knows must
 * be as spec section 5 says (null clears a list); others are the agent's matter. Errors: `invalid`.
 */
export function checkConfig(text: unknown): string {
  if (typeof text !== 'string') throw invalid([{ field: 'config', code: 'notText' }], {}, {})
  const config = parseObject(text)
  if (Object.keys(config).some((key) => key.toLowerCase() === 'client_secret')) {
    const problems: readonly Problem[] = [{ field: 'client_secret', code: 'wrong' }]
    throw new AppError('invalid', { text: texts.secretRotation }, { problems })
  }
  const known = Object.entries(config).filter(([key, value]) => key in input.shape && value !== null)
  const checked = checkInput(input, Object.fromEntries(known.map(([key, value]) => [key, toForm(key, value)])))
  if (!checked.ok) throw invalid(checked.problems, {}, config)
  return text
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {}
  throw invalid([{ field: 'config', code: 'notJson' }], {}, {})
}

/** The form holds the interfaces as a list of names, an agent as a map from name to whether it counts. */
function toForm(key: string, value: unknown): unknown {
  if (key !== 'nic_allowlist') return value
  const isMap = typeof value === 'object' && !Array.isArray(value)
  if (!isMap || !Object.values(value as object).every((counts) => typeof counts === 'boolean')) return ''
  return Object.keys(value as object)
}
