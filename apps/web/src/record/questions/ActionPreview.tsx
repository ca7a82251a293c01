import type { Question } from '@qd/core/actions'
import { actionKey, textKey } from '@qd/core/define'
import { type FormModel, qrModules } from '@qd/core/view'
import { useTexts } from '../../base/state/texts.ts'
import { code } from '../../ui/drawings/Drawings.css.ts'
import * as css from '../form/FormPreview.css.ts'
import { Facts, Objects, Targets, Warnings } from './ConfirmParts.tsx'

export function ActionPreview({ question, form }: { question: Question; form: FormModel }) {
  const { say } = useTexts()
  const { confirm, rows } = question
  const lines = form.preview() ?? []
  const scan = question.args?.scan?.(form.values())
  return (
    <div className={css.preview}>
      {confirm?.targetPreview && <Targets confirm={confirm} rows={rows} />}
      {confirm && !confirm.targetPreview && (
        <>
          <Objects confirm={confirm} />
          <Facts confirm={confirm} rows={rows} />
        </>
      )}
      {confirm && <Warnings confirm={confirm} />}
      {lines.length > 0 && (
        <section className={css.section}>
          <h2 className={css.head}>{say(textKey.preview(form.shape.name))}</h2>
          {scan && <QrCode text={scan} label={say(actionKey(question.action))} />}
          <ul className={css.rows}>
            {lines.map((line) => (
              <li key={line} className={css.row}>
                {line}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** A QR code. Dark on light in every theme, as cameras expect. */
function QrCode({ text, label }: { text: string; label: string }) {
  const rows = qrModules(text)
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      className={code}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${rows.length}v${rows.length}h-${rows.length}z`} />
      <path fill="#000" d={dark.join('')} />
    </svg>
  )
}
