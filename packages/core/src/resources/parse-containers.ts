import { type ParsedRows, plainText } from '../define/index.ts'
import { isObject, parseJson } from '../errors.ts'
import { ContainerEngine, ContainerHealth, ContainerState } from './host-options.ts'
import { boundedRows, cut, optionOf, sectionsOf } from './parse-collected.ts'

/** States that only podman has. */
const podmanStates: ReadonlyMap<string, ContainerState> = new Map([
  ['configured', ContainerState.created],
  ['initialized', ContainerState.created],
  ['stopped', ContainerState.exited],
])

/** What stats say of a container. */
type Usage = {
  readonly cpu: number | null
  readonly memory: number | null
}

type Container = Usage & {
  readonly name: string
  readonly ref: string
  readonly engine: ContainerEngine
  readonly image: string
  readonly state: ContainerState
  readonly health: ContainerHealth
  readonly exit_code: number | null
  readonly project: string
  readonly service: string
  readonly ports: string
  readonly since: string | null
  readonly restarts: number | null
}

/** A container with the ID that its engine gave it. */
interface Found {
  readonly id: string
  readonly row: Container
}

type Values = Readonly<Record<string, unknown>>

const longestText = 200
const longestError = 200
const maxPorts = 20
const maxWrongLines = 1_000
const projectLabel = 'com.docker.compose.project'
const serviceLabel = 'com.docker.compose.service'

/** Reads what the collector `containers` printed: docker’s and podman’s containers, and what either said instead. */
export function parseContainers(text: string): ParsedRows {
  const sections = sectionsOf(text)
  const lists = [dockerContainers(sections), podmanContainers(sections)]
  const failures = Object.values(ContainerEngine).flatMap((engine) => {
    const said = sections.get(`${engine}-error`)
    return said === undefined ? [] : [failureOf(engine, said)]
  })
  if (lists.every((list) => list === null))
    return failures[0] ?? { state: sections.has('unsupported') ? 'not supported' : 'failed' }
  // A docker that talks to podman’s socket lists podman’s containers too: the later one counts.
  const byId = new Map(lists.flatMap((list) => list ?? []).map(({ id, row }) => [id, row]))
  const error = failures.map((failure) => failure.error).join('; ')
  return { ...boundedRows(byId.values()), ...(error !== '' && { error }) }
}

function failureOf(engine: ContainerEngine, said: string) {
  const [line = ''] = said.trim().split('\n')
  const error = `${engine}: ${cut(line, longestError)}`
  if (line === 'timed out') return { state: 'timed out', error } as const
  const isDenied = /permission denied|access denied|not permitted/i.test(said)
  return { state: isDenied ? 'no permission' : 'failed', error } as const
}

/** Containers as `docker inspect` tells them, a line each; null if docker isn’t there. */
function dockerContainers(sections: ReadonlyMap<string, string>): Found[] | null {
  const text = sections.get('docker')
  if (text === undefined) return null
  const usage = usageById(linesOf(sections.get('docker-stats')))
  return linesOf(text).map((one) => {
    const health = optionOf(ContainerHealth, textOf(one.health)) ?? ContainerHealth.none
    return found(ContainerEngine.docker, usage, {
      id: textOf(one.id),
      name: textOf(one.name).replace(/^\//, ''),
      image: textOf(one.image),
      status: textOf(one.status),
      health,
      exit: one.exit,
      times: { created: one.created, started: one.started, finished: one.finished },
      restarts: one.restarts,
      project: textOf(one.project),
      service: textOf(one.service),
      ports: Object.entries(objectOf(one.ports)).flatMap(([inner, bindings]) =>
        listOf(bindings).map((binding) => portText(textOf(binding.HostIp), textOf(binding.HostPort), inner)),
      ),
    })
  })
}

/** Containers as `podman ps` tells them; null if podman isn’t there. */
function podmanContainers(sections: ReadonlyMap<string, string>): Found[] | null {
  const text = sections.get('podman')
  if (text === undefined) return null
  const usage = usageById(listOf(parseJson(sections.get('podman-stats') ?? '')))
  return listOf(parseJson(text)).map((one) => {
    const labels = objectOf(one.Labels)
    const [, health = ''] = /\((healthy|unhealthy|starting)\)/.exec(textOf(one.Status)) ?? []
    return found(ContainerEngine.podman, usage, {
      id: textOf(one.Id),
      name: textOf(Array.isArray(one.Names) ? one.Names[0] : one.Names),
      image: textOf(one.Image),
      status: textOf(one.State).toLowerCase(),
      health: optionOf(ContainerHealth, health) ?? ContainerHealth.none,
      exit: one.ExitCode,
      times: { created: one.Created, started: one.StartedAt, finished: one.ExitedAt },
      restarts: one.Restarts,
      project: textOf(labels[projectLabel]),
      service: textOf(labels[serviceLabel]),
      ports: listOf(one.Ports).map((port) => {
        const count = Number(port.range ?? 1)
        const inner = `${rangeText(port.container_port, count)}/${textOf(port.protocol)}`
        return portText(textOf(port.host_ip), rangeText(port.host_port, count), inner)
      }),
    })
  })
}

/** What both engines say, each in its own form. */
interface Inspected {
  readonly id: string
  readonly name: string
  readonly image: string
  readonly status: string
  readonly health: ContainerHealth
  readonly exit: unknown
  readonly times: Readonly<Record<'created' | 'started' | 'finished', unknown>>
  readonly restarts: unknown
  readonly project: string
  readonly service: string
  readonly ports: readonly string[]
}

function found(engine: ContainerEngine, usage: ReadonlyMap<string, Usage>, told: Inspected): Found {
  const name = plainText(told.name)
  const status = podmanStates.get(told.status) ?? optionOf(ContainerState, told.status) ?? ContainerState.created
  const isRunning = status === ContainerState.running
  const byHealth = { unhealthy: ContainerState.unhealthy, starting: ContainerState.starting } as const
  const state = (isRunning && optionOf(byHealth, told.health)) || status
  const hasEnded = status === ContainerState.exited || status === ContainerState.dead
  const { created, started, finished } = told.times
  const since = instantOf(hasEnded ? finished : status === ContainerState.created ? created : started)
  const row = {
    name,
    ref: `${engine}/${name}`,
    engine,
    image: cut(told.image, longestText),
    state,
    health: isRunning ? told.health : ContainerHealth.none,
    exit_code: hasEnded ? wholeOf(told.exit) : null,
    project: cut(told.project, longestText),
    service: cut(told.service, longestText),
    ports: cut([...new Set(told.ports)].slice(0, maxPorts).join(' '), longestText),
    since,
    restarts: wholeOf(told.restarts),
    // Podman’s stats say 0 of a container without processes.
    ...((!hasEnded && usage.get(told.id)) || { cpu: null, memory: null }),
  }
  return { id: told.id, row }
}

/** Stats of docker, or of podman, which spells its fields otherwise. */
function usageById(stats: readonly Values[]): ReadonlyMap<string, Usage> {
  return new Map(
    stats.map((one) => [
      textOf(one.ID ?? one.id),
      {
        cpu: amountOf(textOf(one.CPUPerc ?? one.cpu_percent)),
        memory: amountOf(textOf(one.MemUsage ?? one.mem_usage)),
      },
    ]),
  )
}

const factors: Readonly<Record<string, number>> = {
  '%': 1,
  B: 1,
  ...{ kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 },
  ...{ KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 },
}

/** The first amount of a text such as `12.5MiB / 1GiB` or `0.07%`; null for `--`. */
function amountOf(text: string): number | null {
  const [, number = '', unit = ''] = /^(\d{1,15}(?:\.\d{1,15})?) ?(%|[kKMGT]?i?B)/.exec(text) ?? []
  const factor = factors[unit]
  return factor === undefined ? null : unit === '%' ? Number(number) : Math.round(Number(number) * factor)
}

/** `8080->80/tcp`, with the address if it isn’t all of them. */
function portText(address: string, outer: string, inner: string): string {
  const isAll = ['', '0.0.0.0', '::'].includes(address)
  return `${isAll ? '' : address.includes(':') ? `[${address}]:` : `${address}:`}${outer}->${inner}`
}

function rangeText(first: unknown, count: number): string {
  const port = wholeOf(first) ?? 0
  return count > 1 ? `${port}-${port + count - 1}` : String(port)
}

/** A time in RFC 3339, or in seconds of Unix; null for none, which engines write as the year 1. */
function instantOf(time: unknown): string | null {
  const at = typeof time === 'number' ? time * 1000 : typeof time === 'string' ? Date.parse(time) : Number.NaN
  return at > 0 && at < 8.64e15 ? new Date(at).toISOString() : null
}

const wholeOf = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const objectOf = (value: unknown): Values => (isObject(value) ? value : {})
const listOf = (value: unknown): readonly Values[] => (Array.isArray(value) ? value.map(objectOf) : [])

/** An object a line. Each line that is none costs an exception: after so many, the rest isn’t read. */
function linesOf(text = ''): readonly Values[] {
  const values: Values[] = []
  let wrong = 0
  for (const line of text.split('\n')) {
    if (line === '') continue
    const value = parseJson(line)
    if (isObject(value)) values.push(value)
    else wrong += 1
    if (wrong >= maxWrongLines) break
  }
  return values
}
