import * as z from 'zod'
import {
  type ActionContext,
  type AnyRow,
  defineAction,
  lazy,
  logsAction,
  namedOptions,
  type Outcome,
  type PreviewAround,
  type TargetSelection,
  type Values,
} from '../define/index.ts'
import { AppError, firstItem } from '../errors.ts'
import type { Translator } from '../i18n/index.ts'
import { id, ids, longestCommand, sentAs } from '../schemas/index.ts'
import { versionOrder } from '../targets/index.ts'
import { config, watchOnly } from './agent-config.ts'

/** A line per current version. Our agents update to this server’s version; newer ones are Nezha’s, which fetch their own latest release. */
export function updatePreview(_values: Values, { t }: Translator, { rows, view }: PreviewAround): readonly string[] {
  const to = String(view.find('setting', 1)?.version ?? '')
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(versionOf(row), (counts.get(versionOf(row)) ?? 0) + 1)
  return [...counts]
    .sort(([a], [b]) => versionOrder(a, b) ?? b.length - a.length)
    .map(([from, count]) => {
      if (from === '') return t('ui.update.unknown', { count })
      const order = to === '' ? null : versionOrder(from, to)
      if (order === 0) return t('ui.update.same', { count, from })
      return order !== null && order < 0
        ? t('ui.update.to', { count, from, to })
        : t('ui.update.newest', { count, from })
    })
}

const versionOf = ({ host }: AnyRow): string => String((host as { version?: string } | undefined)?.version ?? '')

const idsOf = (rows: readonly AnyRow[]) => rows.map((row) => row.id)
const onlyThese = (rows: readonly AnyRow[]): TargetSelection => ({ mode: 'only', servers: idsOf(rows) })

export const InstallSystem = namedOptions('linux', 'macos', 'windows')
export const InstallAgent = namedOptions('ours', 'nezha')

const copyAddress = defineAction<AnyRow>()({
  on: 'many',
  scope: 'nezha:inventory:read',
  icon: 'copy',
  aliases: ['ip'],
  run: async (_context, rows) => ({
    kind: 'copy',
    text: rows
      .map((row) => row.address)
      .filter(Boolean)
      .join('\n'),
  }),
})

const copyNote = defineAction<AnyRow>()({
  on: 'one',
  scope: 'nezha:inventory:read',
  icon: 'copy',
  run: async (_context, rows) => ({ kind: 'copy', text: String(firstItem(rows).note ?? '') }),
})

const shell = defineAction<AnyRow>()({
  on: 'one',
  scope: 'nezha:server:exec',
  icon: 'terminal',
  key: 't',
  aliases: ['ssh', 'terminal', 'console', 'connect'],
  stepUp: true,
  opens: 'terminal',
  blocked: [watchOnly, { when: { status: { in: ['offline', 'never'] } }, reason: 'notConnected' }],
  wire: { method: 'POST', path: 'terminal', body: (rows) => ({ server_id: firstItem(rows).id }) },
})

const files = defineAction<AnyRow>()({
  on: 'one',
  scope: 'nezha:server:write',
  icon: 'folder',
  key: 'f',
  aliases: ['file manager', 'browse', 'upload', 'download', 'scp', 'sftp'],
  blocked: [watchOnly, { when: { status: { in: ['offline', 'never'] } }, reason: 'notConnected' }],
  opens: 'files',
})

const compare = defineAction<AnyRow>()({
  on: 'many',
  scope: 'nezha:inventory:read',
  icon: 'activity',
  key: 'h',
  aliases: ['chart', 'charts', 'graph', 'history', 'over time'],
  capability: 'history',
  unchosen: 'noneChosen',
  opens: 'compare',
})

const exec = defineAction<AnyRow>()({
  on: 'many',
  scope: 'nezha:server:exec',
  icon: 'play',
  key: 'r',
  aliases: ['run command', 'execute', 'reboot', 'restart'],
  confirm: 'targets',
  starts: 'run',
  stepUp: true,
  capability: 'exec',
  blocked: [watchOnly],
  targets: onlyThese,
  args: {
    input: () =>
      z.strictObject({ command: z.string().trim().min(1).max(longestCommand), time_limit: z.int().min(1).max(86_400) }),
    initial: { time_limit: 60 },
    fields: { command: { kind: 'command', wide: true }, time_limit: { kind: 'duration', help: true } },
    form: { what: ['command', 'time_limit'] },
  },
  unchosen: 'noneChosen',
  wire: { method: 'POST', path: 'exec', body: (rows, args) => ({ servers: idsOf(rows), ...args }) },
  outcome: sentAs,
})

const count = z.int().min(0).max(100_000)
const longestSoak = 86_400

const forceUpdate = defineAction<AnyRow>()({
  on: 'many',
  scope: 'nezha:server:write',
  icon: 'circle-arrow-up',
  key: 'u',
  unchosen: 'noneChosen',
  aliases: ['upgrade', 'update agent'],
  confirm: 'targets',
  final: true,
  starts: 'run',
  allAtOnce: (_rows, { canary, batch }) => canary === 0 && batch === 0,
  evidence: { field: 'version', proves: 'success', run: 'update' },
  targets: onlyThese,
  warn: [{ when: { is_windows: { is: true } }, warning: 'windows' }],
  args: {
    input: () =>
      z
        .strictObject({
          canary: count,
          batch: count,
          soak: z.int().min(0).max(longestSoak).default(0),
          max_failures: count,
        })
        .superRefine(({ canary, batch, soak }, context) => {
          if (soak > 0 && canary === 0 && batch === 0)
            context.addIssue({ code: 'custom', path: ['soak'], params: { code: 'noBatches' } })
        }),
    fields: {
      canary: { kind: 'number', digits: 0, help: true, flag: true, requires: 'rollout' },
      batch: { kind: 'number', digits: 0, help: true, flag: true, requires: 'rollout' },
      soak: { kind: 'duration', help: true, flag: true, requires: 'soak' },
      max_failures: { kind: 'number', digits: 0, help: true, flag: true, requires: 'rollout', aliases: ['max-fail'] },
    },
    form: { rollout: ['canary', 'batch', 'soak', 'max_failures'] },
    preview: updatePreview,
  },
  wire: {
    method: 'POST',
    path: 'force-update/server',
    body: (rows, { soak, ...args }) =>
      args.canary || args.batch ? { servers: idsOf(rows), ...args, ...(soak ? { soak } : {}) } : idsOf(rows),
  },
  outcome: sentAs,
})

const maxHosts = 1000

const hostFields = {
  os: { kind: 'choice', options: InstallSystem, flag: true },
  agent: { kind: 'choice', options: InstallAgent, flag: true },
} as const
const hostInput = lazy(() => ({ os: z.enum(InstallSystem), agent: z.enum(InstallAgent) }))
const hostInitial = { os: InstallSystem.linux, agent: InstallAgent.ours }

const ours = { agent: { is: InstallAgent.ours } } as const

const installArguments = {
  input: () => z.strictObject({ ...hostInput(), hosts: z.int().min(1).max(maxHosts), watch_only: z.boolean() }),
  initial: { ...hostInitial, hosts: 1 },
  fields: {
    ...hostFields,
    hosts: { kind: 'number', digits: 0, min: 1, max: maxHosts, help: true, flag: true },
    watch_only: { kind: 'flag', help: true, flag: true },
  },
  form: { host: ['os', 'agent', { field: 'hosts', when: ours }, { field: 'watch_only', when: ours }] },
} as const

const reinstallArguments = {
  input: () => z.strictObject({ ...hostInput() }),
  initial: hostInitial,
  fields: hostFields,
  form: { host: ['os', 'agent'] },
} as const

async function installCommand({ api }: ActionContext, args: Record<string, unknown>): Promise<Outcome> {
  const query = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]))
  const answer = z.object({ command: z.string() }).safeParse(await api.send({ method: 'GET', path: 'install', query }))
  if (!answer.success) throw new AppError('badAnswer', { reason: 'install' })
  return { kind: 'copy', text: answer.data.command }
}

const reporting = { when: { status: { in: ['online', 'warning'] } } } as const

const install = defineAction<AnyRow>()({
  on: 'none',
  scope: 'nezha:inventory:read',
  icon: 'download',
  aliases: ['add server', 'new server', 'connect agent'],
  capability: 'install',
  // A host that has a record already enrolls with it.
  brings: { ...reporting, many: 'hosts', renews: ['enrolled_at'] },
  args: installArguments,
  wire: { method: 'GET', path: 'install' },
  run: (context, _rows, args) => installCommand(context, args),
})

const reinstall = defineAction<AnyRow>()({
  on: 'one',
  scope: 'nezha:inventory:read',
  icon: 'download',
  aliases: ['reattach', 'install again', 'repair'],
  capability: 'install',
  brings: { ...reporting, renews: ['version', 'enrolled_at'] },
  args: reinstallArguments,
  run: (context, rows, args) => installCommand(context, { ...args, uuid: String(firstItem(rows).uuid) }),
})

const revokeSecret = defineAction<AnyRow>()({
  on: 'one',
  scope: 'nezha:server:write',
  icon: 'ban',
  tone: 'bad',
  confirm: 'ask',
  stepUp: true,
  capability: 'enrollment',
  aliases: ['leaked secret', 'block agent', 'disconnect host'],
  blocked: [{ when: { own_secret: { not: true } }, reason: 'noOwnSecret' }],
  warn: [{ when: {}, warning: 'revoke' }],
  wire: { method: 'POST', path: 'server/{id}/revoke-secret' },
})

const move = defineAction<AnyRow>()({
  on: 'many',
  scope: 'nezha:server:write',
  icon: 'arrow-right-left',
  aliases: ['transfer', 'change owner', 'give away'],
  confirm: 'ask',
  capability: 'transfers',
  blocked: [watchOnly],
  args: {
    input: () => z.strictObject({ to_user: id.min(1) }),
    fields: { to_user: { kind: 'ref', to: 'user', aliases: ['to'], flag: true } },
    form: { to: ['to_user'] },
  },
  wire: { method: 'POST', path: 'batch-move/server', body: (rows, args) => ({ ids: idsOf(rows), ...args }) },
  outcome: moved,
})

const moveResults = lazy(() =>
  z.array(z.object({ server_id: z.int(), status: z.string(), error: z.string().catch('') })).catch([]),
)

/** Throws if nothing was transferred for a single reason. */
function moved(answer: unknown): Outcome {
  const results = moveResults().parse(answer ?? [])
  const started = results.filter(({ status }) => status === 'pending').map((result) => result.server_id)
  const refused = results.filter(({ status }) => status !== 'pending')
  const failed = refused.map(({ server_id: one, status, error: text }) => ({
    id: one,
    // Each reason has its own text and remedy.
    error: new AppError('moveRefused', { reason: status, [status]: 1, hint: status, text }),
  }))
  if (started.length === 0 && failed[0] && new Set(refused.map(({ status }) => status)).size === 1)
    throw failed[0].error
  return { kind: 'done', changed: started, ...(failed.length > 0 ? { failed } : {}) }
}

const nothing = { params: { code: 'nothingChanged' } }

/** Sends changes rather than members, so that concurrent edits aren’t lost. */
const regroupInput = lazy(() =>
  z
    .strictObject({ add: ids, remove: ids })
    .refine(({ add, remove }) => add.length + remove.length > 0, { ...nothing, path: ['add'] })
    .refine(({ add, remove }) => !remove.some((id) => add.includes(id)), { ...nothing, path: ['remove'] }),
)

function regroupPreview(values: Values, { t }: Translator, { rows, view }: PreviewAround): readonly string[] {
  const lines = (groups: unknown, isAdding: boolean) =>
    (groups as readonly number[]).map((id) => {
      const group = view.find('server-group', id)
      const members = (group?.servers ?? []) as readonly number[]
      const count = rows.filter((row) => members.includes(row.id) !== isAdding).length
      const name = String(group?.name ?? id)
      return isAdding
        ? t('ui.regroup.join', { name, more: count, total: members.length + count })
        : t('ui.regroup.leave', { name, fewer: count, total: members.length - count })
    })
  return [...lines(values.add, true), ...lines(values.remove, false)]
}

const regroup = defineAction<AnyRow>()({
  on: 'many',
  scope: 'nezha:server:write',
  icon: 'layers',
  unchosen: 'noneChosen',
  aliases: ['group', 'add to group', 'tag', 'label'],
  capability: 'regroup',
  args: {
    input: regroupInput,
    fields: {
      add: { kind: 'refs', wide: true, to: 'server-group', flag: true },
      remove: { kind: 'refs', wide: true, to: 'server-group', flag: true },
    },
    form: { groups: ['add', 'remove'] },
    preview: regroupPreview,
  },
  wire: {
    method: 'POST',
    path: 'batch-group/server',
    body: (rows, args) => ({ ids: rows.map(({ id }) => id), ...args }),
  },
  outcome: (_answer, rows) => ({ kind: 'done', changed: rows.map(({ id }) => id) }),
})

export const serverActions = {
  shell,
  files,
  logs: logsAction(null),
  exec,
  config,
  groups: regroup,
  'force-update': forceUpdate,
  install,
  reinstall,
  'revoke-secret': revokeSecret,
  move,
  compare,
  'copy-address': copyAddress,
  'copy-note': copyNote,
}
