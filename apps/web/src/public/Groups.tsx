import { observable } from '@legendapp/state'
import { useValue } from '@legendapp/state/react'
import { type CSSProperties, type PointerEvent, useState } from 'react'
import { useTexts } from '../base/state/texts.ts'
import type { PublicState } from './feed.ts'
import { loadText, loadTexts, noteText } from './load-text.ts'
import * as css from './Public.css.ts'
import { follow, serverPath } from './place.ts'
import { type PublicServer, serverStateOf, urgency } from './public-server.ts'

export function Groups({ servers, groups }: Pick<PublicState, 'servers' | 'groups'>) {
  const { t } = useTexts()
  const grouped = new Set(groups.flatMap((group) => group.servers))
  const rest = servers.filter(({ id }) => !grouped.has(id))
  const named = groups.map(({ id, name, servers: ids }) => ({
    id,
    name,
    members: servers.filter(({ id }) => ids.includes(id)),
  }))
  const shown = [
    ...named,
    { id: 0, name: groups.length > 0 ? t('ui.public.others') : t('ui.public.all'), members: rest },
  ].filter(({ members }) => members.length > 0)
  return (
    <section className={css.section}>
      <div className={css.row}>
        <h2>{t('ui.public.servers')}</h2>
        <span className={css.small}>{t('ui.public.tiles')}</span>
      </div>
      <div className={css.groups}>
        {shown.map(({ id, name, members }) => (
          <Group key={id} name={name} members={members} />
        ))}
      </div>
      <TileCard servers={servers} />
    </section>
  )
}

/** Larger groups start collapsed and show only problems. */
const folds = 60

const rank = (server: PublicServer) => urgency[serverStateOf(server)]

function Group({ name, members }: { name: string; members: readonly PublicServer[] }) {
  const { t } = useTexts()
  const [isOpen, setOpen] = useState(false)
  const isLarge = members.length > folds
  const sorted = isLarge ? members.toSorted((a, b) => rank(a) - rank(b)) : members
  const shown = isLarge && !isOpen ? sorted.slice(0, folds) : sorted
  const online = members.filter((server) => server.isOnline).length
  const isWrong = members.some((server) => !server.isOnline && serverStateOf(server) !== 'maintenance')
  return (
    <div className={isLarge ? css.largeGroup : css.group}>
      <div className={css.row}>
        <b>{name}</b>
        <span className={isWrong ? css.bad : css.small}>
          {online < members.length
            ? t('ui.public.someOnline', { online, total: members.length })
            : t('ui.public.online', { count: online })}
        </span>
      </div>
      <ul className={css.tiles}>
        {shown.map((server) => (
          <Tile key={server.id} server={server} />
        ))}
      </ul>
      {isLarge && (
        <button type="button" className={css.unfold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('ui.public.fold') : t('ui.public.unfold', { count: members.length })}
        </button>
      )}
    </div>
  )
}

/** The tile that is pointed at, and where it stands; apart from the tiles, which therefore aren’t drawn again. */
const pointed$ = observable<{ id: number; left: number; top: number; bottom: number } | null>(null)

function point({ id }: PublicServer, element: Element): void {
  const { left, top, bottom } = element.getBoundingClientRect()
  pointed$.set({ id, left, top, bottom })
}

const unpoint = () => pointed$.set(null)

function Tile({ server }: { server: PublicServer }) {
  const texts = useTexts()
  const { t } = texts
  const state = serverStateOf(server)
  const load = server.load === null ? t('ui.public.state.noData') : loadText(texts, server.load)
  const word =
    state === 'maintenance'
      ? t('ui.public.maintenanceOn', { names: server.name })
      : server.isOnline
        ? t('ui.public.tileOnline', { name: server.name, load })
        : t('ui.public.isOffline', { name: server.name })
  const note = noteText(texts, server)
  return (
    <li>
      <a
        href={serverPath(server.id)}
        className={css.tileOf[state]}
        style={{ [css.filled]: server.load?.value ?? 0 } as CSSProperties}
        onClick={(event) => {
          unpoint()
          follow(event)
        }}
        // A finger opens the page at once.
        onPointerEnter={(event: PointerEvent) => event.pointerType !== 'touch' && point(server, event.currentTarget)}
        onPointerLeave={unpoint}
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && point(server, currentTarget)}
        onBlur={unpoint}
      >
        <span role="img" aria-label={note === '' ? word : `${word}. ${note}`} />
      </a>
    </li>
  )
}

const cardWidth = 260
const apart = 6

/** What a tile stands for, beside the tile that is pointed at. */
function TileCard({ servers }: Pick<PublicState, 'servers'>) {
  const texts = useTexts()
  const { t, format } = texts
  const pointed = useValue(pointed$)
  const server = pointed && servers.find(({ id }) => id === pointed.id)
  if (!server) return null
  const { name, isOnline, lastActive, maintenanceUntil } = server
  const note = noteText(texts, server)
  const now = Date.now()
  const isHigh = pointed.top < innerHeight / 2
  const place = {
    left: Math.max(8, Math.min(pointed.left - 8, innerWidth - cardWidth - 8)),
    ...(isHigh ? { top: pointed.bottom + apart } : { bottom: innerHeight - pointed.top + apart }),
  }
  const lines = [
    isOnline ? loadTexts(texts, server).join(' · ') : '',
    !isOnline && lastActive !== null ? t('ui.public.lastSeen', { since: format.since(lastActive, now) }) : '',
    maintenanceUntil === null ? '' : t('ui.public.until', { until: format.instant(maintenanceUntil, now) }),
    note,
  ].filter(Boolean)
  return (
    <div className={css.card} style={{ ...place, width: cardWidth }} aria-hidden="true">
      <b className={css.brandName}>{name}</b>
      <span className={css.small}>{t(`ui.public.looks.${serverStateOf(server)}`)}</span>
      {lines.map((line) => (
        <span key={line} className={css.small}>
          {line}
        </span>
      ))}
    </div>
  )
}
