import * as z from 'zod'
import { type ApiPort, lazy } from '../define/index.ts'
import { toAppError } from '../errors.ts'
import { versionOrder } from '../targets/index.ts'
import { type NezhaCheck, nezhaChecks, olderAgents } from './nezha-checks.ts'

const text = z.string().catch('')
const settings = lazy(() =>
  z
    .object({
      version: text,
      config: z
        .object({ tls: z.boolean().catch(false), install_host: text, web_real_ip_header: text })
        .catch({ tls: false, install_host: '', web_real_ip_header: '' }),
    })
    .catch({ version: '', config: { tls: false, install_host: '', web_real_ip_header: '' } }),
)
const server = lazy(() =>
  z.object({
    id: z.int(),
    name: text,
    host: z.object({ version: text, gpu: z.array(z.string()).catch([]) }).catch({ version: '', gpu: [] }),
    last_active: text,
  }),
)
type Server = z.output<ReturnType<typeof server>>
const condition = lazy(() =>
  z
    .object({ type: text, cover: z.int().catch(0), ignore: z.record(z.string(), z.boolean()).catch({}) })
    .catch({ type: '', cover: 0, ignore: {} }),
)
const rule = lazy(() =>
  z.object({ name: text, enable: z.boolean().catch(false), rules: z.array(condition()).catch([]) }),
)
const token = lazy(() => z.object({ name: text, expires_at: text }))

/** Dangers that Nezha’s responses to an administrator reveal. Errors: those of the calls. */
export async function examineNezha(api: ApiPort): Promise<{ check: NezhaCheck; names: readonly string[] }[]> {
  const read = (path: string) => api.send({ method: 'GET', path })
  const [{ version, config }, servers, rules, tokens] = await Promise.all([
    read('setting').then((data) => settings().parse(data)),
    rowsOf(read('server'), server()),
    rowsOf(read('alert-rule'), rule()),
    rowsOf(read('api-tokens'), token()),
  ])
  const isOlder = (than: string) => ((versionOrder(version, than) ?? 0) < 0 ? [version] : [])
  const found: Record<NezhaCheck, readonly string[]> = {
    endingRules: rules.filter((one) => one.enable && canEnd(one.rules, servers)).map(({ name }) => name),
    noCsrf: isOlder('2.1.0'),
    toldSecrets: isOlder('2.2.7'),
    noBrake: config.web_real_ip_header === '' ? ['-'] : [],
    unknownVersion: versionOrder(version, version) === null ? [version || '-'] : [],
    agentsPlain: config.tls || config.install_host === '' ? [] : [config.install_host],
    oldAgents: olderAgents(servers.map(({ name, host }) => ({ name, version: host.version }))),
    endlessTokens: tokens.filter(({ expires_at }) => expires_at === '').map(({ name }) => name),
  }
  return (Object.keys(nezhaChecks) as NezhaCheck[]).flatMap((check) =>
    found[check].length > 0 ? [{ check, names: found[check] }] : [],
  )
}

function canEnd(conditions: readonly z.output<ReturnType<typeof condition>>[], servers: readonly Server[]): boolean {
  const covers = ({ cover, ignore }: (typeof conditions)[number], { id }: Server) =>
    Boolean(ignore[id]) === (cover === 1)
  const isBare = ({ host, last_active }: Server) => host.gpu.length === 0 && !last_active.startsWith('0001')
  return conditions.some((one) => one.type === 'gpu_max' && servers.some((each) => isBare(each) && covers(one, each)))
}

/** Empty if the list doesn’t exist or isn’t permitted. */
async function rowsOf<Row>(answer: Promise<unknown>, schema: z.ZodType<Row>): Promise<readonly Row[]> {
  const data = await answer.catch((thrown: unknown) => {
    if (!['noRoute', 'forbidden', 'tokenForbidden', 'failed'].includes(toAppError(thrown).code)) throw thrown
    return []
  })
  const rows = z.array(z.unknown()).catch([]).parse(data)
  return rows.flatMap((row) => {
    const parsed = schema.safeParse(row)
    return parsed.success ? [parsed.data] : []
  })
}
