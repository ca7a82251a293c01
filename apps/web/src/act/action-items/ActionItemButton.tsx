import { type Action, optionKey, type Values } from '@qd/core/define'
import { useCopied } from '../../base/hooks/use-timers.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Menu } from '../../ui/overlays/Menu.tsx'
import type { MenuEntry } from '../../ui/overlays/menu-props.ts'
import { perform } from '../perform/lazy-perform.ts'
import type { ActionItem } from './action-items.ts'

/** The arguments of an action whose only arguments are choices, in every combination; null if it asks for more. */
export function choicesOf({ args }: Action): readonly Values[] | null {
  if (!args) return null
  return Object.entries(args.fields).reduce<readonly Values[] | null>(
    (found, [field, definition]) => {
      if (found === null || definition.kind !== 'choice') return null
      return Object.values(definition.options).flatMap((value) =>
        found.map((values) => ({ ...values, [field]: value })),
      )
    },
    [{}],
  )
}

/** A button for an action that needs no rows. If its only arguments are choices, it opens a menu. */
export function ActionItemButton({
  item: { action, label, reason, caps },
  isIcon = false,
}: {
  item: ActionItem
  isIcon?: boolean
}) {
  const { say } = useTexts()
  const [isCopied, setCopied] = useCopied()
  const run = async (args?: Values) => {
    const report = await perform(action, [], args ? { args } : {})
    setCopied(report.kind === 'ok' && report.outcome.kind === 'copy')
  }
  const choices = reason === null && !isCopied ? choicesOf(action) : null
  const props = {
    icon: isCopied ? 'check' : action.icon,
    caps,
    reason,
    'data-action': `${action.resource}.${action.name}`,
    ...(isCopied || choices ? {} : { onPress: () => void run() }),
  } as const
  const button = isIcon ? <IconButton {...props} label={label} /> : <Button {...props}>{label}</Button>
  if (!choices) return button
  const entries = choices.map((values, index): MenuEntry => {
    const isOther = differs(action, values)
    return {
      id: String(index),
      label: wordsOf(action, values, say),
      ruled: isOther && index > 0 && !differs(action, choices[index - 1]!),
      run: () => void run(values),
    }
  })
  return (
    <Menu label={label} entries={entries}>
      {button}
    </Menu>
  )
}

/** Whether any argument but the first differs from its first choice. */
function differs({ args }: Action, values: Values): boolean {
  const [, ...others] = Object.keys(values)
  return others.some((field) => values[field] !== args!.initial[field])
}

function wordsOf({ args }: Action, values: Values, say: (key: string) => string): string {
  return Object.entries(values)
    .filter(([field, value], index) => index === 0 || value !== args!.initial[field])
    .map(([field, value]) => say(optionKey(args!, field, value) ?? ''))
    .join(', ')
}
