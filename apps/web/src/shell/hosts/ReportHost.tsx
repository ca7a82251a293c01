import { useValue } from '@legendapp/state/react'
import { Suspense, useEffect } from 'react'
import { onCommand } from '../../act/keys/commands.ts'
import { capsOf } from '../../act/keys/keys.ts'
import { useCopied } from '../../base/hooks/use-copied.ts'
import { copyText } from '../../base/ports.ts'
import { overlays$, type ShownReport } from '../../base/state/overlays.ts'
import { useTexts } from '../../base/state/texts.ts'
import { ReportLines } from '../../record/fields/ReportLines.tsx'
import { grow } from '../../record/form/Form.css.ts'
import { trialViews } from '../../record/overrides.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'

/** What an action answered, to read and to copy. */
export function ReportHost() {
  const report = useValue(overlays$.report)
  return report && <Report {...report} />
}

function Report({ title, lines, resource, action, answer }: ShownReport) {
  const { t } = useTexts()
  const [isCopied, setCopied] = useCopied()
  const close = () => overlays$.report.set(null)
  useEffect(() => onCommand('confirm', close))
  const Answer = trialViews[resource]?.[action]
  const copy = () => void copyText(lines.map(({ text }) => text).join('\n')).then(setCopied)
  return (
    <Dialog
      title={title}
      width={480}
      closeLabel={t('ui.frame.close')}
      onClose={close}
      footer={
        <>
          <Button icon={isCopied ? 'check' : 'copy'} onPress={copy}>
            {t('ui.keys.copySelection')}
          </Button>
          <span className={grow} />
          <Button autoFocus tone="primary" onPress={close} caps={capsOf('confirm')}>
            {t('ui.frame.close')}
          </Button>
        </>
      }
    >
      <Suspense>{Answer ? <Answer answer={answer} /> : <ReportLines report={() => lines} />}</Suspense>
    </Dialog>
  )
}
