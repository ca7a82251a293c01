import { plainText, planTexts, readPlan } from '@qd/core/fields'
import { type CSSProperties, useState } from 'react'
import { useTexts } from '../base/state/texts.ts'
import type { PublicState } from './feed.ts'
import { loadText } from './load-text.ts'
import * as css from './Public.css.ts'
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

function Tile({ server }: { server: PublicServer }) {
  const { t, format, translator } = useTexts()
  const state = serverStateOf(server)
  const load = server.load === null ? t('ui.public.state.noData') : loadText({ t, format }, server.load)
  const word =
    state === 'maintenance'
      ? t('ui.public.maintenanceOn', { names: server.name })
      : server.isOnline
        ? t('ui.public.tileOnline', { name: server.name, load })
        : t('ui.public.isOffline', { name: server.name })
  const plan = readPlan(server.note)
  const note = plan ? planTexts(translator, plan).map(plainText).join(' · ') : server.note
  const title = note === '' ? word : `${word}. ${note}`
  return (
    <li className={css.tileOf[state]} style={{ [css.filled]: server.load?.value ?? 0 } as CSSProperties} title={title}>
      <span role="img" aria-label={title} />
    </li>
  )
}
