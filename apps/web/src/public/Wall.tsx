import type { Observable } from '@legendapp/state'
import { useValue } from '@legendapp/state/react'
import { useEffect, useState } from 'react'
import { useSeconds } from '../base/hooks/use-timers.ts'
import { productName } from '../base/state/product.ts'
import { useTexts } from '../base/state/texts.ts'
import { isComplete, type PublicState } from './feed.ts'
import { loadText } from './load-text.ts'
import { problemsOf, problemText, toneOf } from './problems.ts'
import { type PublicServer, serverStateOf, urgency } from './public-server.ts'
import { summaryOf } from './summary.ts'
import * as css from './Wall.css.ts'
import type { PublicIncident } from './watched.ts'

const withWords = 2.2

/** Columns and rows that give `count` tiles the best shape on a screen of this aspect ratio. `wanted`: aspect ratio of a tile. */
export function gridOf(count: number, shape: number, wanted = withWords): { columns: number; rows: number } {
  let best = { columns: 1, rows: Math.max(1, count), miss: Number.POSITIVE_INFINITY }
  for (let columns = 1; columns <= Math.max(1, count); columns++) {
    const rows = Math.ceil(Math.max(1, count) / columns)
    const miss = Math.abs(Math.log((shape * rows) / columns / wanted)) + (columns * rows - count) / (count + 1)
    if (miss < best.miss) best = { columns, rows, miss }
  }
  return { columns: best.columns, rows: best.rows }
}

/** Frames arrive every 2 s; older data is marked as old. */
const oldMs = 12_000

/** Everything on one big screen, readable from afar: problems, one tile per server, a clock. */
export function Wall({ state$ }: { state$: Observable<PublicState> }) {
  const { t, format } = useTexts()
  const state = useValue(state$)
  const now = useSeconds(true)
  useDark()
  useWakeLock()
  const { servers, services, incidents, heardAt, feed } = state
  const isOld = heardAt !== null && (feed.status === 'lost' || now - heardAt > oldMs)
  const isReady = isComplete(state)
  const { tone, text } = summaryOf(t, { ...state, heardAt: isReady ? heardAt : null, isLost: false })
  const online = servers.filter((server) => server.isOnline).length
  const failing = new Set(services?.filter((one) => one.state === 'down').map(({ name }) => name))
  // A service that is down has its own chip.
  const isUnsaid = ({ source, name }: PublicIncident) => source !== 'service' || !failing.has(name)
  return (
    <main className={css.wall}>
      <header className={css.top}>
        <span className={css.mark[isOld ? 'muted' : tone]} aria-hidden="true" />
        <h1 className={css.title}>{text}</h1>
        <span className={css.side}>
          <a className={css.link} href="/">
            {state.site || productName}
          </a>
          {document.fullscreenEnabled && (
            <button
              type="button"
              className={css.full}
              onClick={() => void document.documentElement.requestFullscreen()}
            >
              {t('ui.wall.full')}
            </button>
          )}
          <span className={css.count}>{t('ui.wall.online', { count: online, total: servers.length })}</span>
          <time className={css.clock}>{format.clock(now)}</time>
        </span>
      </header>
      <div role="status">
        {isOld && (
          <p className={css.old}>
            {t('ui.wall.old', {
              time: format.clock(heardAt),
              span: format.duration(Math.round((now - heardAt) / 1000)),
            })}
          </p>
        )}
      </div>
      <ul className={css.band}>
        {isReady &&
          problemsOf(incidents.filter(isUnsaid), servers, []).map((problem) => (
            <li key={problem.key} className={css.chipOf[toneOf(problem)]}>
              {problem.what === 'service' ? problem.names[0] : problemText(t, problem)}
            </li>
          ))}
        <ServiceChips services={(isReady && services) || []} />
      </ul>
      <Tiles servers={isReady ? servers : []} />
    </main>
  )
}

const order = { down: 0, low: 1, noData: 2, good: 3 } as const
const tones = { down: 'bad', low: 'warn', noData: 'muted', good: 'ok' } as const

function ServiceChips({ services }: { services: NonNullable<PublicState['services']> }) {
  const { say, format } = useTexts()
  return services
    .toSorted((a, b) => order[a.state] - order[b.state])
    .map(({ id, name, state: how, delay }) => {
      const word = say(`ui.public.state.${how}`)
      const latency = delay === null ? word : format.latency(delay)
      return (
        <li key={`s${id}`} className={css.chipOf[tones[how]]}>
          {`${name} ${how === 'good' ? latency : word}`}
        </li>
      )
    })
}

/** With more tiles than this, only those with a problem have words; the others are squares. */
const readable = { all: 200, withProblem: 24 }

const squaresPart = 1 / 0.5

function Tiles({ servers }: { servers: readonly PublicServer[] }) {
  const shape = useShape()
  const sorted = servers.toSorted((a, b) => urgency[serverStateOf(a)] - urgency[serverStateOf(b)])
  if (servers.length <= readable.all)
    return (
      <ul className={css.tiles} style={gridStyle(gridOf(servers.length, shape))}>
        {sorted.map((server) => (
          <Tile key={server.id} server={server} />
        ))}
      </ul>
    )
  const labeled = sorted
    .filter((server) => urgency[serverStateOf(server)] <= urgency.maintenance)
    .slice(0, readable.withProblem)
  const rest = sorted.slice(labeled.length)
  return (
    <div className={css.many}>
      {labeled.length > 0 && (
        <ul className={css.labeled}>
          {labeled.map((server) => (
            <Tile key={server.id} server={server} />
          ))}
        </ul>
      )}
      <ul
        className={css.squares}
        style={gridStyle(gridOf(rest.length, shape * (labeled.length > 0 ? squaresPart : 1), 1))}
      >
        {rest.map((server) => (
          <Square key={server.id} server={server} />
        ))}
      </ul>
    </div>
  )
}

const gridStyle = ({ columns, rows }: { columns: number; rows: number }) => ({
  gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
  gridTemplateRows: `repeat(${rows}, minmax(0, 1fr))`,
})

function Square({ server }: { server: PublicServer }) {
  const { say } = useTexts()
  const state = serverStateOf(server)
  return (
    <li className={css.squareOf[state]} title={`${server.name}: ${say(`ui.public.looks.${state}`)}`}>
      <span className={css.unseen}>{`${server.name} ${say(`ui.public.looks.${state}`)}`}</span>
    </li>
  )
}

function Tile({ server }: { server: PublicServer }) {
  const { t, say, format } = useTexts()
  const state = serverStateOf(server)
  const word = say(`ui.public.looks.${state}`)
  return (
    <li className={css.tileOf[state]}>
      <div className={css.inside}>
        <span className={css.name}>{server.name}</span>
        <span className={css.said}>
          {state !== 'maintenance' && server.isOnline && server.load !== null
            ? loadText({ t, format }, server.load)
            : word}
        </span>
      </div>
    </li>
  )
}

function useShape(): number {
  const read = () => innerWidth / Math.max(1, innerHeight)
  const [shape, setShape] = useState(read)
  useEffect(() => {
    const measure = () => setShape(read())
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  })
  return shape
}

/** A wall is dark unless its address has `?theme=light`. */
function useDark(): void {
  useEffect(() => {
    const wanted = new URLSearchParams(location.search).get('theme')
    document.documentElement.dataset.theme = wanted === 'light' ? 'light' : 'dark'
  }, [])
}

/** Keeps the screen on while the page is visible, where supported. */
function useWakeLock(): void {
  useEffect(() => {
    const hold = () => {
      if (!document.hidden) void navigator.wakeLock?.request('screen').catch(() => undefined)
    }
    hold()
    document.addEventListener('visibilitychange', hold)
    return () => document.removeEventListener('visibilitychange', hold)
  }, [])
}
