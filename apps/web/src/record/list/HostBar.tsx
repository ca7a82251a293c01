import { useValue } from '@legendapp/state/react'
import type { Resource } from '@qd/core/define'
import { server } from '@qd/core/resources'
import { parseSelection, selectionProblemKey } from '@qd/core/targets'
import { hostSummary } from '@qd/core/view'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { logsPath } from '../../act/places/navigate.ts'
import { records, session, view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Mascot } from '../../ui/drawings/Mascot.tsx'
import { box, input } from '../../ui/inputs/Field.css.ts'
import * as page from '../../ui/Page.css.ts'
import * as css from './HostBar.css.ts'
import type { Hosts } from './use-hosts.ts'

function useSummary(resource: Resource) {
  const { translator } = useTexts()
  return useValue(() => hostSummary(records.list$(resource.name).hosts.get(), view, translator))
}

/** Above a list of hosts: which servers are read, how many answered, and why the others didn’t. */
export function HostBar({ resource, hosts }: { resource: Resource; hosts: Hosts }) {
  const { t, say } = useTexts()
  const { answered, total, lines } = useSummary(resource)
  const [text, setText] = useState(hosts.on)
  useEffect(() => setText(hosts.on), [hosts.on])
  const parsed = parseSelection(server, text)
  const hasLogs = useValue(() => session.supports('logs'))
  return (
    <div className={css.root}>
      <form
        className={css.field}
        onSubmit={(event) => {
          event.preventDefault()
          if (parsed.ok) hosts.choose(text.trim())
        }}
      >
        <label htmlFor="hosts">{t('ui.hosts.target')}</label>
        <span className={box({ size: 'small', face: 'mono' })} data-invalid={!parsed.ok || undefined}>
          <input
            id="hosts"
            className={input}
            autoComplete="off"
            spellCheck={false}
            placeholder="group:web"
            aria-invalid={!parsed.ok}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </span>
      </form>
      {!parsed.ok && (
        <span className={css.tone.bad} role="alert">
          {say(selectionProblemKey(parsed.problem), parsed.problem.params)}
        </span>
      )}
      {hasLogs && !hosts.isOpen && (
        <Link to={`${logsPath}?${new URLSearchParams({ on: hosts.on })}`}>{t('ui.logs.title')}</Link>
      )}
      {total > 0 && !hosts.isOpen && <span role="status">{answered}</span>}
      {!hosts.isOpen &&
        lines.map((line) => (
          <span key={line.text} className={`${css.line} ${css.tone[line.tone]}`}>
            {line.text}
          </span>
        ))}
    </div>
  )
}

/** Instead of the rows: many servers and none chosen, or hosts of which none answered. */
export function HostsEmpty({ resource, hosts }: { resource: Resource; hosts: Hosts }) {
  const { t } = useTexts()
  const { lines } = useSummary(resource)
  return (
    <div className={page.center}>
      <div className={page.box}>
        <Mascot />
        <h2 className={page.boxTitle}>{t(hosts.isOpen ? 'ui.hosts.choose' : 'ui.hosts.none')}</h2>
        <p className={page.boxText}>
          {hosts.isOpen ? t('ui.hosts.chooseText', { count: hosts.servers }) : lines.map(({ text }) => text).join('\n')}
        </p>
        {hosts.isOpen && (
          <div className={page.row}>
            <Button onPress={() => hosts.choose('')}>{t('ui.hosts.all')}</Button>
          </div>
        )}
      </div>
    </div>
  )
}
