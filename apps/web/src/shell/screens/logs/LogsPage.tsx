import { useValue } from '@legendapp/state/react'
import {
  type AskedLogs,
  askedLogs,
  createLogText,
  emptyTail,
  type LogField,
  type LogLine,
  type LogQuery,
  type LogTail,
  logFields,
  logNotes,
  logQueryOf,
  logRows,
  logTone,
  openLogTail,
  parseSince,
  tooManyLogHosts,
} from '@qd/core/logs'
import { server } from '@qd/core/resources'
import { hostTarget, rememberHostTarget } from '@qd/core/store'
import { parseSelection, selectionProblemKey } from '@qd/core/targets'
import { type LogSource, logSources } from '@qd/protocol/logs'
import { type FormEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { onCommands } from '../../../act/keys/commands.ts'
import { useCopied } from '../../../base/hooks/use-timers.ts'
import { copyText, ports } from '../../../base/ports.ts'
import { client, records, remembered, session } from '../../../base/state/stores.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { Button } from '../../../ui/Button.tsx'
import { box, input } from '../../../ui/inputs/Field.css.ts'
import { InlineSelect } from '../../../ui/inputs/InlineSelect.tsx'
import { bar, grow, heading } from '../../../ui/Page.css.ts'
import { useVisibleRange } from '../../../ui/visible-range.ts'
import * as css from './LogsPage.css.ts'

/** Log lines of several servers, live. What is read stands in the address: `?on=group:web&unit=nginx&grep=5..&since=10m`. */
export function LogsPage() {
  const { t, translator } = useTexts()
  const [params, setParams] = useSearchParams()
  const [isPaused, setPaused] = useState(false)
  const [isCopied, setCopied] = useCopied()
  const servers = useValue(() => records.list$('server').ids.get().length)
  const isSupported = useValue(() => session.supports('logs'))
  const { on, isOpen } = hostTarget(params.get('on'), servers, remembered)
  const asked = { ...askedLogs((name) => params.get(name)), on }
  const key = JSON.stringify(asked)
  // “10 minutes ago” is counted from now, not from each drawing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the query
  const query = useMemo(() => logQueryOf(asked, Date.now()), [key])
  const logs = useLogs(isOpen || !isSupported ? null : query, isPaused)
  const choose = (next: AskedLogs) => {
    rememberHostTarget(next.on, remembered)
    const given = logFields.filter((name) => name === 'on' || next[name] !== '')
    setParams(new URLSearchParams(given.map((name) => [name, next[name]])))
  }
  const copy = async () =>
    setCopied(await copyText(logs.lines.flatMap((line) => logRows(textOf(line), true)).join('\n')))
  const form = useRef<HTMLFormElement>(null)
  const enter = (name: LogField) => {
    const field = form.current?.elements.namedItem(name)
    if (field instanceof HTMLInputElement) field.select()
  }
  useEffect(() =>
    onCommands({
      logFilter: () => enter('grep'),
      logSince: () => enter('since'),
      logPause: () => setPaused((now) => !now),
      logCopy: () => void copy(),
    }),
  )
  return (
    <div className={css.page}>
      <div className={bar}>
        <h1 className={heading}>{t('ui.logs.title')}</h1>
        <span className={grow} />
        <Button size="small" aria-pressed={isPaused} onPress={() => setPaused(!isPaused)}>
          {isPaused ? t('ui.logs.resume') : t('ui.logs.pause')}
        </Button>
        <Button size="small" icon={isCopied ? 'check' : 'copy'} onPress={() => void copy()}>
          {t('ui.logs.copy')}
        </Button>
      </div>
      <LogsForm key={key} form={form} asked={asked} onChoose={choose} />
      <Said logs={logs} />
      {!isSupported && <p className={css.said}>{t('ui.logs.unsupported')}</p>}
      {isOpen && <p className={css.said}>{tooManyLogHosts(translator)}</p>}
      <Lines lines={logs.lines} isMany={logs.hosts.length > 1} />
    </div>
  )
}

function LogsForm({
  form,
  asked,
  onChoose,
}: {
  form: RefObject<HTMLFormElement | null>
  asked: AskedLogs
  onChoose(next: AskedLogs): void
}) {
  const { t, say } = useTexts()
  const [values, setValues] = useState(asked)
  const [source, setSource] = useState<LogSource>(logSources.find((one) => asked[one] !== '') ?? 'unit')
  const parsed = parseSelection(server, values.on)
  const isSinceWrong = values.since !== '' && parseSince(values.since, Date.now()) === null
  const choose = (next: LogSource) => {
    setValues({ ...values, [source]: '', [next]: values[source] })
    setSource(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (parsed.ok && !isSinceWrong) onChoose({ ...values, on: values.on.trim() })
  }
  const labels = {
    on: [t('ui.hosts.target'), 'group:web', !parsed.ok],
    unit: [t('ui.logs.unit'), 'nginx', false],
    container: [t('ui.logs.container'), 'app', false],
    file: [t('ui.logs.file'), 'nginx/access.log', false],
    grep: [t('ui.logs.grep'), '5..', false],
    since: [t('ui.logs.since'), '10m', isSinceWrong],
  } as const
  return (
    <form ref={form} className={css.form} onSubmit={submit}>
      {(['on', source, 'grep', 'since'] as const).map((name) => {
        const [label, example, isWrong] = labels[name]
        const isSource = name === source
        const Root = isSource ? 'div' : 'label'
        return (
          <Root key={isSource ? 'source' : name} className={css.field}>
            {isSource ? (
              <InlineSelect
                label={t('ui.logs.source')}
                className={css.source}
                options={logSources.map((value) => ({ value, label: labels[value][0] }))}
                value={source}
                onChange={(value) => choose(value as LogSource)}
              />
            ) : (
              label
            )}
            <span className={box({ size: 'small', face: 'mono' })} data-invalid={isWrong || undefined}>
              <input
                className={input}
                name={name}
                autoComplete="off"
                spellCheck={false}
                placeholder={example}
                aria-invalid={isWrong}
                aria-label={isSource ? label : undefined}
                value={values[name]}
                onChange={({ target }) => setValues({ ...values, [name]: target.value })}
              />
            </span>
          </Root>
        )
      })}
      <Button type="submit" size="small">
        {t('ui.logs.read')}
      </Button>
      {!parsed.ok && <span role="alert">{say(selectionProblemKey(parsed.problem), parsed.problem.params)}</span>}
    </form>
  )
}

/** Which servers answered, what is missing, and why nothing comes. */
function Said({ logs }: { logs: LogTail }) {
  const { translator, t } = useTexts()
  return (
    <div className={css.said} role="status">
      {logNotes(logs, translator).map(({ text }) => (
        <span key={text}>{text}</span>
      ))}
      {/* The last: it changes all the time. */}
      {logs.isPaused && <span>{t('ui.logs.waiting', { count: logs.waiting })}</span>}
    </div>
  )
}

const textOf = createLogText()

/** A message of several lines takes several rows. */
interface Row {
  readonly line: LogLine
  readonly text: string
  readonly isFirst: boolean
}

const rowsOf = (lines: readonly LogLine[]): Row[] =>
  lines.flatMap((line) => textOf(line).lines.map((text, index) => ({ line, text, isFirst: index === 0 })))

/** Stays at the newest line while it is in view. */
function Lines({ lines, isMany }: { lines: readonly LogLine[]; isMany: boolean }) {
  const { t } = useTexts()
  const scroller = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const rows = useMemo(() => rowsOf(lines), [lines])
  const { first, last, update } = useVisibleRange(scroller, css.lineHeight, rows.length)
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the rows
  useEffect(() => {
    const element = scroller.current
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight
  }, [rows])
  const scrolled = () => {
    const element = scroller.current
    if (element) isAtEnd.current = element.scrollTop + element.clientHeight >= element.scrollHeight - css.lineHeight
    update()
  }
  return (
    <div
      ref={scroller}
      className={css.lines}
      onScroll={scrolled}
      role="log"
      aria-label={t('ui.logs.title')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
    >
      <div className={css.room} style={{ height: rows.length * css.lineHeight }}>
        {rows.slice(first, last).map((row, index) => {
          const top = (first + index) * css.lineHeight
          return <LineRow key={top} row={row} top={top} isMany={isMany} />
        })}
      </div>
    </div>
  )
}

function LineRow({ row: { line, text, isFirst }, top, isMany }: { row: Row; top: number; isMany: boolean }) {
  const { time, server: name, by } = textOf(line)
  return (
    <div className={css.line} style={{ top }}>
      {isFirst && <span className={css.time}>{time} </span>}
      {isFirst && isMany && <span className={css.servers[line.server_id % css.servers.length]}>{name} </span>}
      {isFirst && by && `${by}: `}
      <span className={css.level[logTone(line.level)]}>{isFirst ? text : `  ${text}`}</span>
    </div>
  )
}

/** Reads logs while it is shown; null reads nothing. A change of the query starts anew. */
function useLogs(query: LogQuery | null, isPaused: boolean): LogTail {
  const [tail, setTail] = useState(emptyTail)
  const reading = useRef<ReturnType<typeof openLogTail> | null>(null)
  const key = JSON.stringify(query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the query
  useEffect(() => {
    setTail(emptyTail)
    if (query === null) return
    const opened = openLogTail({ query, api: client, ports, baseUrl: location.origin, onChange: setTail })
    reading.current = opened
    return () => {
      reading.current = null
      opened.close()
    }
  }, [key])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new reading begins paused too
  useEffect(() => reading.current?.pause(isPaused), [isPaused, key])
  return tail
}
