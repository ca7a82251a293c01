import { useValue } from '@legendapp/state/react'
import { fieldKey, fieldOf, type Resource, textKey } from '@qd/core/define'
import { resourceByName } from '@qd/core/resources'
import { hostedOf, hostKindsFor, onServer } from '@qd/core/view'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { onCommands } from '../../act/keys/commands.ts'
import { logsPath, navigate } from '../../act/places/navigate.ts'
import { records, session } from '../../base/state/stores.ts'
import { surface } from '../../base/state/surface.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { tones } from '../../ui/StateMark.css.ts'
import { Cell, TitleCell } from '../fields/Cell.tsx'
import { useSame } from '../fields/cells.ts'
import * as items from './Items.css.ts'
import * as panel from './PanelFrame.css.ts'
import type { SectionProps } from './section-props.ts'

const pathOn = (path: string, server: number, open: { readonly open?: string } = {}) =>
  `${path}?${new URLSearchParams({ on: onServer(server), ...open })}`

/** What runs on the server’s host, kind by kind, and links to what else can be read there. */
export function Hosted({ id }: SectionProps<'hosted'>) {
  const { t, say } = useTexts()
  const names = useSame(() => hostKindsFor(surface()).map(({ name }) => name))
  const hasLogs = useValue(() => session.supports('logs'))
  // The list’s key opens it for this server.
  useEffect(() => {
    const open = names.map((name) => [`go:${name}`, () => navigate(pathOn(resourceByName(name).path, id))])
    return onCommands(Object.fromEntries(open))
  }, [names, id])
  const kinds = names.map((name) => resourceByName(name))
  const isForbidden = useValue(() => names.some((name) => records.list$(name).error.get()?.code === 'forbidden'))
  const linked = isForbidden ? [] : kinds.filter(({ host }) => !host?.onServer)
  return (
    <>
      {kinds.map((kind) => kind.host?.onServer && <Kind key={kind.name} resource={kind} server={id} />)}
      <span className={items.links}>
        {linked.map(({ name, path }) => (
          <Link key={name} to={pathOn(path, id)}>
            {say(textKey.many(name))}
          </Link>
        ))}
        {hasLogs && !isForbidden && <Link to={pathOn(logsPath, id)}>{t('ui.logs.title')}</Link>}
      </span>
    </>
  )
}

/** Records of one kind. The host is read only while they are in view. One that may not be read is asked when the page opens: that may have changed. */
function Kind({ resource, server }: { resource: Resource; server: number }) {
  const { t, say } = useTexts()
  const { name } = resource
  const root = useRef<HTMLElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setSeen(entries.at(-1)?.isIntersecting ?? false))
    if (root.current) observer.observe(root.current)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (!isSeen) return undefined
    void records.load(name, { on: onServer(server) })
    return records.watch(name)
  }, [isSeen, name, server])
  const hosted = useSame(() => {
    const { hosts, error } = records.list$(name).get()
    const found = hostedOf(surface(), resource, server, { hosts, error })
    return found && { ...found, rows: found.rows.map(({ id }) => id) }
  })
  if (!hosted) return <section ref={root} className={panel.unseen} />
  const { rows, count, problems, note, isComing } = hosted
  return (
    <section ref={root} className={panel.section}>
      <div className={panel.sectionHead}>
        <h2>{say(textKey.many(name))}</h2>
        {problems.map(({ text, tone }) => (
          <span key={text} className={tones[tone]}>
            {text}
          </span>
        ))}
        <span className={panel.grow} />
        {count > rows.length && <Link to={pathOn(resource.path, server)}>{t('ui.detail.hosted.all', { count })}</Link>}
      </div>
      {isComing && <Skeleton width={280} />}
      {note && (
        <p className={panel.muted} data-tone={note.tone}>
          {note.text}
        </p>
      )}
      <ul className={items.list}>
        {rows.map((id) => (
          <li key={id} className={items.item}>
            <Link className={items.text} to={pathOn(resource.path, server, { open: String(id) })}>
              <TitleCell resource={resource} id={id} />
            </Link>
            {resource.host?.onServer?.map((field) => (
              <Labeled key={field} resource={resource} id={id} field={field} />
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A value that says its field’s name where there is no table head. */
function Labeled({ resource, id, field }: { resource: Resource; id: number; field: string }) {
  const { say } = useTexts()
  const label = say(fieldKey(resource, field))
  return (
    <span className={items.side} title={label}>
      <Cell resource={resource} id={id} column={{ field, kind: fieldOf(resource, field).kind }} label={label} />
    </span>
  )
}
