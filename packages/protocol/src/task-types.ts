/** Source: agent contract 3.2; 5 and 10 are retired and never answered. */
export const taskType = {
  httpProbe: 1n,
  icmpProbe: 2n,
  tcpProbe: 3n,
  command: 4n,
  upgrade: 6n,
  keepalive: 7n,
  terminal: 8n,
  nat: 9n,
  files: 11n,
  reportConfig: 12n,
  applyConfig: 13n,
  applyTransfer: 14n,
  exec: 15n,
  listFiles: 16n,
  readFile: 17n,
  writeFile: 18n,
  deleteFiles: 19n,
  transferFile: 20n,
} as const

/**
 * Results of our agents besides the final `TaskResult`, only to a server that sent `extensionHeader`. Their `id` is the task’s. `output`: `data`
 * is the next piece. `updating`: a new agent is in place, `data` is `OLD -> NEW`. `shellEnded`: just before a shell’s stream ends, `data` is
 * `{"StreamID", "exit"}`. `refused`: `data` is a `RefusalCode`. Source: docs/reference/agent-extensions.md.
 */
export const progressType = {
  running: 1004n,
  output: 1005n,
  updating: 1006n,
  shellEnded: 1008n,
  applied: 1013n,
  refused: 1015n,
} as const

/**
 * Results that belong to no task (`id` 0). `unmeasured`: `data` is `toUnmeasuredText`, sent on change. `collectors`: `data` is a JSON list of the
 * collectors that the agent knows, and `logsAbility`, sent once per connection. Source: docs/reference/agent-extensions.md.
 */
export const agentNews = {
  unmeasured: 1200n,
  collectors: 1201n,
} as const

/** Among the collectors of an agent that knows `extensionTask.logs`. */
export const logsAbility = 'logs'

/**
 * Tasks that only our agents know. `endCommand`: kills the command or program of the task with this ID. `rotateSecret`: the agent’s next secret, in the form
 * of task 14. `checksum`: of a whole file. `collect`: the output of one of the agent’s `collectors`. `logs`: a stream of log lines.
 * Source: docs/reference/agent-extensions.md.
 */
export const extensionTask = {
  endCommand: 1104n,
  rotateSecret: 1114n,
  checksum: 1117n,
  collect: 1120n,
  logs: 1121n,
} as const

/** Response header by which our server announces that it understands `progressType`; its value is `extensionVersion`. */
export const extensionHeader = 'x-quarterdeck'

/** Request header with an install command’s code, by which a host enrolls its own secret. */
export const enrollmentHeader = 'client-code'

/** Request header with the host’s name, for naming a new record. Absent unless plain ASCII. */
export const hostnameHeader = 'client-hostname'

/** Response header with the public key (Ed25519, base64 of SPKI) that signs the agent bundle; agents pin the first one. */
export const updateKeyHeader = 'x-quarterdeck-key'

/** Request header of a watch-only agent; any value. */
export const watchOnlyHeader = 'client-watch-only'

/** All that a watch-only agent does besides reporting. */
export const watchOnlyTasks: ReadonlySet<bigint> = new Set([
  taskType.httpProbe,
  taskType.icmpProbe,
  taskType.tcpProbe,
  taskType.upgrade,
  taskType.keepalive,
  extensionTask.collect,
  extensionTask.logs,
])

export const extensionVersion = '1'
