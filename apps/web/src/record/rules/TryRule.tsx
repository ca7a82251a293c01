import { useValue } from '@legendapp/state/react'
import { type AnyRow, actionKey, actionOf, type Report } from '@qd/core/define'
import { alertRule, notificationGroup } from '@qd/core/resources'
import type { FormModel } from '@qd/core/view'
import { useEffect, useState } from 'react'
import { onCommand } from '../../act/keys/commands.ts'
import { capsOf } from '../../act/keys/keys.ts'
import { perform } from '../../act/perform/perform.ts'
import { session, view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { head, section } from '../../ui/Page.css.ts'
import { ReportLines } from '../fields/ReportLines.tsx'
import { help } from './BacktestView.css.ts'

const test = actionOf(alertRule, 'test')

/** Sends a test message for the saved rule and shows the recipients. */
export function TryRule({ form }: { form: FormModel }) {
  const row = form.base
  return row && <TrySaved row={row} isChanged={form.changes().length > 0} />
}

function TrySaved({ row, isChanged }: { row: AnyRow; isChanged: boolean }) {
  const { t, say } = useTexts()
  const [isSending, setSending] = useState(false)
  const [report, setReport] = useState<Report | null>(null)
  const group = useValue(() => view.find(notificationGroup.name, Number(row.notification_group_id)))
  const isSupported = useValue(() => session.supports(test.capability ?? ''))
  const reason = !isSupported
    ? t('ui.reasons.capability')
    : row.notification_group_id === 0
      ? say('resources.alert-rule.reasons.notifiesNobody')
      : null
  const send = async () => {
    setSending(true)
    const answer = await perform(test, [row], { args: { server_id: 0 }, agreed: true, done: async () => false })
    if (answer.kind === 'ok' && answer.outcome.kind === 'report')
      setReport(() => (answer.outcome as { report: Report }).report)
    setSending(false)
  }
  useEffect(() => onCommand('testDraft', () => (reason === null ? void send() : undefined)))
  return (
    <section className={section}>
      <h2 className={head}>{t('ui.rule.try.head')}</h2>
      {group && (
        <p className={help}>
          {t('ui.rule.try.text', {
            name: String(group.name),
            count: (group.notifications as readonly number[]).length,
          })}{' '}
          {isChanged && t('ui.rule.try.unsaved')}
        </p>
      )}
      <div role="status">{report && <ReportLines report={report} />}</div>
      <div>
        <Button
          icon="send"
          caps={capsOf('testDraft')}
          isPending={isSending}
          reason={reason}
          onPress={() => void send()}
        >
          {say(actionKey(test))}
        </Button>
      </div>
      {reason && <p className={help}>{reason}</p>}
    </section>
  )
}
