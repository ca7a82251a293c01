import { useValue } from '@legendapp/state/react'
import { type AnyRow, argumentsOf, plainText, titleOf } from '@qd/core/define'
import type { AppError } from '@qd/core/errors'
import {
  type ItemState,
  itemTones,
  type Rollout,
  type RunCounts,
  type RunItem,
  run,
  runStateOf,
  server,
} from '@qd/core/resources'
import { createRunWatch } from '@qd/core/store'
import { rolloutPlan, rolloutStep } from '@qd/core/view'
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { ActionButton } from '../../../act/action-items/ActionButton.tsx'
import { actionItems } from '../../../act/action-items/action-items.ts'
import { onCommands } from '../../../act/keys/commands.ts'
import { copy } from '../../../act/perform/perform.ts'
import { goOutTo } from '../../../act/places/navigate.ts'
import { useWidth } from '../../../base/hooks/use-size.ts'
import { ports } from '../../../base/ports.ts'
import { page$ } from '../../../base/state/page.ts'
import { records } from '../../../base/state/stores.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { IconButton } from '../../../ui/Button.tsx'
import type { MoveFocus } from '../../../ui/Grid.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import * as page from '../../../ui/Page.css.ts'
import { ResultWord, StateMark } from '../../../ui/StateMark.tsx'
import { ListFailed } from '../../errors/ListFailed.tsx'
import type { SectionProps } from '../section-props.ts'
import * as css from './RunResults.css.ts'
import { RunRows } from './RunRows.tsx'
import { linesShown, outputLines, stateIcon, useItemText } from './run-items.ts'

const args = argumentsOf(server, 'force-update')

/** Batches, progress, and pause or resume of a run; nothing if it runs everywhere at once or ended normally. */
export function RunRollout({ row }: { row: AnyRow }) {
  const texts = useTexts()
  const { t, say } = texts
  const rollout = row.rollout as Rollout
  const counts = row.counts as RunCounts
  const isOver = runStateOf(counts) !== 'open'
  if (!rollout || (isOver && rollout.state !== 'stopped')) return null
  const { step, steps, isCanary } = rolloutStep(rollout, counts)
  const acts = actionItems(run, [row], texts).filter(
    ({ action, reason }) => ['pause', 'resume', 'stop'].includes(action.name) && reason === null,
  )
  const place = isCanary ? t('ui.run.rollout.canary') : t('ui.run.rollout.batch', { step, steps })
  return (
    <section className={css.rolloutBar} aria-label={say(`resources.${args.name}.groups.rollout`)}>
      <div className={css.words}>
        <span className={css.state} role="status">
          <StateMark
            tone={rollout.state === 'going' ? 'accent' : rollout.state === 'paused' ? 'warn' : 'muted'}
            label=""
            decorative
          />
          <b>{rollout.state === 'going' ? place : t(`ui.run.rollout.${rollout.state}`)}</b>
          {rollout.state === 'paused' && <span className={css.plan}>{place}</span>}
        </span>
        <span className={css.plan}>{rolloutPlan(rollout, texts).join(' · ')}</span>
      </div>
      {acts.map((item) => (
        <ActionButton
          key={item.action.name}
          size="small"
          tone={item.action.tone === 'bad' ? 'delete' : 'plain'}
          item={item}
          rows={[row]}
        />
      ))}
    </section>
  )
}

const states: readonly ItemState[] = ['success', 'failure', 'running', 'sent', 'waiting', 'no_answer']

export function RunResults({ id }: SectionProps<'parts'>) {
  const { error, retry } = useRun(id)
  const row = useValue(() => records.detail$('run', id).get())
  const texts = useTexts()
  const { t, format } = texts
  const [only, setOnly] = useState<ItemState | null>(null)
  const [chosen, setChosen] = useState<number | null>(null)
  const [isOpen, setOpen] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const isPhone = useWidth(frame) < 600
  useEffect(() => {
    page$.set({ resource: 'run', open: id })
    return () => page$.set({ resource: null, open: null })
  }, [id])
  const items = ((row?.items ?? []) as readonly RunItem[]).filter((item) => only === null || item.state === only)
  const current =
    items.find((item) => item.server_id === chosen) ?? items.find((item) => item.state === 'failure') ?? items[0]
  const move = useRef<MoveFocus | null>(null)
  useRunKeys({ items, current, choose: setChosen, open: () => setOpen(true), move })
  if (!row)
    return error ? <ListFailed error={error} onRetry={retry} /> : <p className={page.bar}>{t('ui.list.loading')}</p>
  const counts = row.counts as RunCounts
  const again = actionItems(run, [row], texts).find(({ action }) => action.name === 'again')
  return (
    <div className={css.page} ref={frame}>
      <div className={`${page.bar} ${css.bar}`}>
        <div className={css.crumbs}>
          <Link to={run.path}>{texts.say('resources.run.many')}</Link>
          <span className={css.faint}>{'/'}</span>
          <h1 className={css.name} title={titleOf(run, row)}>
            {titleOf(run, row)}
          </h1>
          <span className={css.muted}>
            {t('ui.run.started', {
              id: String(id),
              time: format.clock(Date.parse(String(row.created_at))),
              by: String(row.started_by),
            })}
          </span>
        </div>
        <span className={page.grow} />
        {again && <ActionButton item={again} rows={[row]} />}
      </div>
      <Summary counts={counts} only={only} onOnly={setOnly}>
        <RunRollout row={row} />
      </Summary>
      <div className={css.split}>
        <RunRows
          items={items}
          move={move}
          current={current?.server_id ?? null}
          onChoose={(server) => {
            setChosen(server)
            setOpen(true)
          }}
        />
        <div className={css.pane}>
          {row.command !== '' && (
            <p className={css.command} title={String(row.command)}>
              {String(row.command)}
            </p>
          )}
          {current && <RunOutput key={current.server_id} item={current} />}
        </div>
      </div>
      {isOpen && isPhone && current && (
        <Dialog
          title={t('ui.run.output')}
          width={520}
          phone="fill"
          closeLabel={t('ui.frame.close')}
          onClose={() => setOpen(false)}
        >
          <RunOutput key={current.server_id} item={current} />
        </Dialog>
      )}
    </div>
  )
}

function useRun(id: number): { error: AppError | null; retry: () => void } {
  const [error, setError] = useState<AppError | null>(null)
  const watch = useMemo(() => createRunWatch({ records, setTimer: ports.setTimer, onRead: setError }, id), [id])
  useEffect(() => watch.enter(), [watch])
  return { error, retry: () => void watch.load() }
}

interface RunKeys {
  items: readonly RunItem[]
  current: RunItem | undefined
  choose: (server: number) => void
  open: () => void
  move: RefObject<MoveFocus | null>
}

function useRunKeys({ items, current, choose, open, move }: RunKeys): void {
  useEffect(() => {
    const place = (index: number) => {
      const item = items[Math.max(0, Math.min(items.length - 1, index))]
      if (!item) return
      choose(item.server_id)
      move.current?.(item.server_id)
    }
    const at = current ? items.indexOf(current) : -1
    return onCommands({
      next: () => place(at + 1),
      previous: () => place(at - 1),
      first: () => place(0),
      last: () => place(items.length - 1),
      'action:run.open': open,
      escape: () => goOutTo(run.path),
    })
  }, [items, current, choose, open, move])
}

function Summary({
  counts,
  only,
  onOnly,
  children,
}: {
  children: ReactNode
  counts: RunCounts
  only: ItemState | null
  onOnly: (state: ItemState | null) => void
}) {
  const { t, say, format } = useTexts()
  const present = states.filter((state) => counts[state] > 0)
  const total = states.reduce((sum, state) => sum + counts[state], 0)
  return (
    <div className={css.summary}>
      <div className={css.blast} aria-hidden="true">
        {present.map((state) => (
          <span key={state} className={css.part[itemTones[state]]} style={{ flexGrow: counts[state], flexBasis: 4 }} />
        ))}
      </div>
      {children}
      <div className={page.facets}>
        <button type="button" className={page.facet} aria-pressed={only === null} onClick={() => onOnly(null)}>
          <span className={page.count}>{format.number(total)}</span>
          {t('ui.list.all')}
        </button>
        {present.map((state) => (
          <button
            key={state}
            type="button"
            className={page.facet}
            aria-pressed={only === state}
            onClick={() => onOnly(only === state ? null : state)}
          >
            <ResultWord tone={itemTones[state]} text="" icon={stateIcon(state)} />
            <span className={page.count}>{format.number(counts[state])}</span>
            {say(`ui.run.states.${state}`)}
          </button>
        ))}
      </div>
    </div>
  )
}

/** How a server’s part ended, with its output and how many lines are hidden. */
function RunOutput({ item }: { item: RunItem }) {
  const { t, format } = useTexts()
  const itemText = useItemText()
  const [isWhole, setWhole] = useState(false)
  const lines = outputLines(item.output)
  const shown = isWhole ? lines : lines.slice(-linesShown)
  const hidden = lines.length - shown.length
  return (
    <>
      <div className={css.paneHead}>
        <b>{plainText(item.server_name) || `#${item.server_id}`}</b>
        <ResultWord tone={itemTones[item.state]} text={itemText(item).ending} icon={stateIcon(item.state)} />
        <span className={css.grow} />
        {item.output !== '' && (
          <IconButton
            label={t('ui.run.copyOutput')}
            icon="copy"
            onPress={() => void copy(item.output, t('ui.run.output'))}
          />
        )}
      </div>
      {lines.length > 0 && (
        <div className={css.outputBox}>
          {hidden > 0 && (
            <div className={css.cutHead}>
              {t('ui.run.linesHidden', { count: hidden })}
              <button type="button" className={css.link} onClick={() => setWhole(true)}>
                {t('ui.run.showAll', { count: lines.length })}
              </button>
            </div>
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
          <section className={css.output} tabIndex={0} aria-label={t('ui.run.output')}>
            {shown.join('\n')}
          </section>
        </div>
      )}
      {item.cut_bytes > 0 && (
        <p className={css.small}>{t('ui.run.bytesCut', { size: format.bytes(item.cut_bytes) })}</p>
      )}
      {lines.length === 0 && <p className={css.small}>{itemText(item).silence}</p>}
    </>
  )
}
