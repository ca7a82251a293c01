import { type BacktestAnswer, backtestAnswer, lookedTexts } from '@qd/core/resources'
import { ports } from '../../base/ports.ts'
import { useTexts } from '../../base/state/texts.ts'
import { linePath } from '../../ui/drawings/path.ts'
import * as css from './BacktestView.css.ts'

type Fired = BacktestAnswer['fired'][number]

/** Where a rule would have fired in the last hour: each server’s values against the limit (behaviour D10). */
export function BacktestView({ answer }: { answer: unknown }) {
  const { t, translator, format } = useTexts()
  const read = backtestAnswer().safeParse(answer)
  if (!read.success) return null
  const { fired, without } = read.data
  const conditions = without.map((count, index) => ({ number: index + 1, count }))
  return (
    <>
      <p className={css.verdict}>{t('ui.backtest.fired', { count: fired.length })}</p>
      {fired.length > 0 && (
        <ul className={css.rows}>
          {fired.map((one) => (
            <FiredRow key={`${one.server_id} ${one.from}`} fired={one} />
          ))}
        </ul>
      )}
      {lookedTexts(read.data, translator, format).map((text) => (
        <p key={text} className={css.help}>
          {text}
        </p>
      ))}
      {without.length > 1 &&
        conditions.map(({ number, count }) => (
          <p key={number} className={css.help}>
            {t('ui.backtest.without', { number, count })}
          </p>
        ))}
    </>
  )
}

function FiredRow({ fired }: { fired: Fired }) {
  const { t, format } = useTexts()
  const { server_id: id, server_name: name, from, to, points, limit } = fired
  const at = format.instant(from, ports.now())
  const seconds = to === null ? 0 : (Date.parse(to) - Date.parse(from)) / 1000
  return (
    <li className={css.row}>
      <b className={css.name} title={name}>
        {name || `#${id}`}
      </b>
      <LimitChart points={points} limit={limit} />
      <span className={css.time}>
        {to === null
          ? t('ui.backtest.now', { from: at })
          : t('ui.backtest.span', { from: at, time: format.duration(seconds) })}
      </span>
    </li>
  )
}

const box = { width: 108, height: 24 }

function LimitChart({ points, limit }: Pick<Fired, 'points' | 'limit'>) {
  const known = points.filter((point) => point !== null)
  const all = limit === null ? known : [...known, limit]
  const [min, max] = [Math.min(...all), Math.max(...all)]
  const room = (max - min || 1) * 0.1
  const scale = { ...box, min: min - room, max: max + room }
  const y = limit === null ? null : box.height - ((limit - scale.min) * box.height) / (scale.max - scale.min)
  return (
    <svg className={css.chart} viewBox={`0 0 ${box.width} ${box.height}`} preserveAspectRatio="none" aria-hidden="true">
      {y !== null && <line className={css.limit} x1="0" x2={box.width} y1={y} y2={y} />}
      <path className={css.line} d={linePath(points, scale)} />
    </svg>
  )
}
