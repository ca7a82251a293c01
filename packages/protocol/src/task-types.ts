/** Task numbers by name. Source: agent contract 3.2; 5 and 10 are retired and never answered. */
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
 * Results of our own agents only, sent besides the final `TaskResult` and never to a server that has not announced
 * itself (`extensionHeader`). Their `id` is the task's. `running`: the command has started, `data` empty.
 * `output`: `data` is the next piece of output, in order. `updating`: a new agent was verified and put in its place,
 * `data` is `OLD -> NEW`; the agent starts again. `shellEnded`: of a shell, just before its stream ends, `data` is
 * `{"StreamID", "exit"}`. `applied`: the configuration is kept and in force, `data` empty. `refused`: the task is refused, `data` is a
 * `RefusalCode`.
 * Source: docs/reference/agent-extensions.md.
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
 * Results of our own agents that belong to no task, so that their `id` is 0. `unmeasured`: `data` is what the agent can’t measure
 * (`toUnmeasuredText`); sent when that changes, and nothing is said before the first. `collectors`: `data` is a JSON list of the collectors that the
 * agent knows; sent once at the beginning of a connection. Source: docs/reference/agent-extensions.md.
 */
export const agentNews = {
  unmeasured: 1200n,
  collectors: 1201n,
} as const

/**
 * Tasks that only our agents know; existing agents do not answer them. `endCommand`: ends the command whose task had
 * this id; the command then answers as one that was killed. `rotateSecret`: the next secret of the agent, in the form of task 14.
 * `checksum`: of a whole file. `collect`: the output of one of the agent’s own scripts (`collectors`). Source: docs/reference/agent-extensions.md.
 */
export const extensionTask = {
  endCommand: 1104n,
  rotateSecret: 1114n,
  checksum: 1117n,
  collect: 1120n,
} as const

/** Response header with which our server announces on every call that it understands `progressType`; its value is `extensionVersion`. */
export const extensionHeader = 'x-quarterdeck'

/** Request header with the code of an install command, with which a host enrolls the secret that it has made for itself. */
export const enrollmentHeader = 'client-code'

/** Request header with the host's own name, by which the server names a new record. Absent if the name isn't plain ASCII. */
export const hostnameHeader = 'client-hostname'

/** Response header with the public key (Ed25519, base64 of SPKI) by which this server signs its agent bundle; agents pin the first that they see. */
export const updateKeyHeader = 'x-quarterdeck-key'

/** Request header of an agent that is watch-only; any value. */
export const watchOnlyHeader = 'client-watch-only'

/** All that a watch-only agent does for its server besides reports. A collector is the agent’s own script, which only reads. */
export const watchOnlyTasks: ReadonlySet<bigint> = new Set([
  taskType.httpProbe,
  taskType.icmpProbe,
  taskType.tcpProbe,
  taskType.upgrade,
  taskType.keepalive,
  extensionTask.collect,
])

/** The only version of the extensions so far. */
export const extensionVersion = '1'
