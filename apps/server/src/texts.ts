import type { ResourceName } from '@qd/core/define'
import type { AppError, ErrorCode, Problem, ProblemCode } from '@qd/core/errors'

/** Error texts of the wire, in English. Clients translate by code; texts of contract http-api 9 are literal. */
export const texts = {
  unauthorized: 'ApiErrorUnauthorized',
  csrf: 'ApiErrorForbidden: missing or invalid CSRF token',
  origin: 'ApiErrorForbidden: origin not allowed',
  noRoute: '404 Not Found',
  permission: 'permission denied',
  stepUp: 'ApiErrorForbidden: step-up required',
  notForTokens: 'ApiErrorForbidden: this endpoint is not accessible by api token',
  server: 'server not found',
  service: 'service not found',
  hidden: 'unauthorized',
  metric: 'invalid metric name',
  range: 'from must be before to',
  guestPeriod: 'unauthorized: only 1d data available for guests',
  userRequired: 'user id is required',
  agentTooOld: 'agent build older than v1.18.0 does not support server transfer (TaskTypeServerTransferApply)',
  pending: 'cannot retry a non-terminal transfer (status=0)',
  wrongPassword: 'incorrect password',
  noBindings: "you don't have any oauth2 bindings",
  database: 'database error',
  template: 'invalid user template',
  serverIds: 'have invalid server id',
  coversNobody: 'this monitor covers no server',
  nobodyReports: 'no server that this monitor covers reports',
  probeFailed: 'the probe failed',
  onAlert: 'scheduled tasks cannot be triggered by alarms',
  needsAlert: 'this task runs on the server that raised an alert, so it cannot be run by hand',
  stillOpen: 'this run is not finished yet',
  nothingLeft: 'this run succeeded on every server',
  internal: 'internal error',
  diskFull: 'the disk is full or cannot be written: nothing was saved',
  httpsOnly: 'this port speaks HTTPS: use https://',
  tooLarge: 'the request is too large',
  conflict: 'somebody else changed this record; read it again',
  notJson: 'a JSON body is needed (Content-Type: application/json)',
  bodyObject: 'a JSON object is needed',
  blocked: 'you were blocked by nezha WAF',
  bodyIds: 'a JSON list of ids is needed',
  bodyAddresses: 'a JSON list of addresses is needed',
  blockSelf: 'this is your own address',
  blockEverybody: 'this range is too wide: it would block a large part of the internet',
  blockMachine: 'this is an address of the server itself',
  blockProxy: 'this is an address of a trusted proxy: everybody behind it would be blocked',
  blockAllowed: 'this address is on the allow list of the settings',
  notConnected: 'server not found or not connected',
  userStreams: 'too many concurrent streams for this user',
  operationTimeout: 'operation timeout',
  configFailed: 'get server config failed',
  secretRotation: 'ApplyConfig rejected: client_secret rotation must use TaskTypeServerTransferApply',
  installHost: 'The Agent docking address has not been filled in in the settings.',
  agentSecret: 'this account has no agent secret',
  unknownOs: 'Unknown OS',
  serverStreams: 'too many concurrent streams for this server',
  outboundRefused: 'HTTP URL target is not allowed',
  outboundLate: 'the receiver did not answer in time',
  notifierGone: 'this notifier does not exist any more',
  noticesFull: 'too many messages are waiting for this notifier',
  keptForOther: 'the stored headers and body belong to another server: type them again or clear them',
  wrongType: 'wrong type',
  requestMethod: '不支持的请求方式',
  requestType: '不支持的请求类型',
  testMessage: 'a test message',
  notifierIds: 'have invalid notification id',
  ruleDuration: 'duration need to be at least 3',
  ruleLong: 'duration must be at most 28800',
  ruleInterval: 'cycle_interval need to be at least 1',
  ruleStart: 'cycle_start is not set',
  ruleTime: 'cycle_start must be a time with its offset, like 2026-01-01T00:00:00Z',
  ruleFuture: 'cycle_start is a future value',
  ruleNeeded: 'need to configure at least a single rule',
  isClosed: 'this incident is over',
  isAcknowledged: 'this incident is acknowledged already',
  notSilenced: 'this incident is not silenced',
  passwordShort: 'password length must be greater than 6',
  usernameEmpty: "username can't be empty",
  usernameTaken: 'UNIQUE constraint failed: users.username',
  invalidRole: 'invalid role',
  noUserId: 'user id not specified',
  deleteSelf: "can't delete yourself",
  tellsNobody: 'this rule has no group to tell',
  retryCount: 'the retry count must be an integer between 1 and 10',
  keptForProvider: 'the stored secrets belong to another provider or address: type them again or clear them',
} as const

const notFound: Partial<Record<ResourceName, string>> = {
  server: 'server id %d does not exist',
  'server-group': 'group id %d does not exist',
  cron: 'task id %d does not exist',
  service: 'service id %d does not exist',
  notification: 'notification id %d does not exist',
  'notification-group': 'group id %d does not exist',
  run: 'run id %d does not exist',
  'alert-rule': 'alert id %d does not exist',
  'api-token': 'not found',
  user: 'user id %d does not exist',
  ddns: 'profile id %d does not exist',
}

type Params = Readonly<Record<string, unknown>>

const problemTexts: Record<ProblemCode, (params: Params) => string> = {
  required: () => 'is required',
  tooShort: ({ minimum }) => `needs at least ${minimum} characters`,
  tooLong: ({ maximum }) => `has more than ${maximum} characters`,
  tooManyBytes: ({ maximum }) => `has more than ${maximum} bytes`,
  tooSmall: ({ minimum }) => `must be at least ${minimum}`,
  tooBig: ({ maximum }) => `must be at most ${maximum}`,
  notInteger: () => 'must be a whole number',
  notNumber: () => 'must be a number',
  notText: () => 'must be text',
  notFlag: () => 'must be true or false',
  notList: () => 'must be a list',
  listItem: ({ text }) => `has ${text}, which is neither a plain item nor JSON`,
  notOption: () => 'is not one of the known values',
  notUrl: () => 'must be a web address',
  notJson: () => 'must be JSON',
  notDate: () => 'must be a time',
  notId: () => 'must be an id',
  unknownKey: () => 'is not a known field',
  unknownReference: () => 'names something that does not exist',
  schedule: () => 'is not a schedule',
  scheduledOnAlert: () => texts.onAlert,
  rule: () => 'is not a condition',
  ruleType: ({ type, types }) => `have the unknown type ${type}; known are ${(types as string[]).join(', ')}`,
  ruleCover: () => texts.permission,
  ruleDuration: () => texts.ruleDuration,
  ruleLong: () => texts.ruleLong,
  ruleInterval: () => texts.ruleInterval,
  ruleStart: () => texts.ruleStart,
  ruleFuture: () => texts.ruleFuture,
  ruleNeeded: () => texts.ruleNeeded,
  notHost: () => 'must be a host name or an address',
  notHostPort: () => 'must be a host with a port',
  notDomain: ({ text }) => `has ${text}, which is no domain`,
  notHeaders: () => texts.wrongType,
  notHeaderName: () => 'is no header name',
  notAddress: () => 'is no address or range',
  endsFirst: () => 'ends before it begins',
  mismatch: () => 'does not match',
  nothingChanged: () => 'changes nothing',
  wrong: () => 'is not accepted',
}

/** One sentence that names every field with a problem. */
export function problemText(problems: readonly Problem[]): string {
  return problems
    .map(
      ({ field, code, params = {}, at }) =>
        `${at === undefined ? field : `${field} ${at}`} ${problemTexts[code](params)}`,
    )
    .join('; ')
}

const byCode: Partial<Record<ErrorCode, (error: AppError) => string>> = {
  unauthorized: () => texts.unauthorized,
  wrongPassword: () => texts.unauthorized,
  csrf: () => texts.csrf,
  noRoute: () => texts.noRoute,
  forbidden: () => texts.permission,
  stepUpRequired: () => texts.stepUp,
  tokenForbidden: ({ params }) => `ApiErrorForbidden: api token lacks scope ${params.scope}`,
  conflict: () => texts.conflict,
  diskFull: () => texts.diskFull,
  installHostRequired: () => texts.installHost,
  agentSecretRequired: () => texts.agentSecret,
  tooLarge: () => texts.tooLarge,
  tooMany: ({ params }) => `too many attempts, try again in ${params.seconds} s`,
  invalid: ({ problems }) => problemText(problems),
  notFound({ params }) {
    const text = notFound[params.resource as ResourceName] ?? `${params.resource} id %d does not exist`
    return text.replace('%d', String(params.id))
  },
}

/** What the envelope's `error` says: the text an error brought along, else that of its code. */
export function errorText(error: AppError): string {
  const { text } = error.params
  if (typeof text === 'string') return text
  return byCode[error.code]?.(error) ?? texts.internal
}
