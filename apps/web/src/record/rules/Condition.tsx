import type { RuleCondition } from '@qd/core/define'
import {
  cycleUnitOf,
  cycleUnits,
  isCycleType,
  metricName,
  metricOf,
  needsName,
  parseDuration,
  partsOfMetric,
  ruleMetrics,
  sampleSeconds,
  unitOf,
} from '@qd/core/fields'
import { useId, useState } from 'react'
import { afterPress } from '../../base/hooks/after-press.ts'
import { ports } from '../../base/ports.ts'
import { useTexts } from '../../base/state/texts.ts'
import { IconButton } from '../../ui/Button.tsx'
import { FieldNote } from '../../ui/inputs/Field.tsx'
import { InlineSelect } from '../../ui/inputs/InlineSelect.tsx'
import * as css from './RulesInput.css.ts'
import {
  type Limit,
  limitsOf,
  type Side,
  shownLimit,
  shownSamples,
  sideOf,
  sides,
  typedLimit,
  typedSamples,
  unreadable,
  withSide,
  withType,
} from './rule-edit.ts'

export interface ConditionProps {
  rule: RuleCondition
  number: number
  onChange: (rule: RuleCondition) => void
  onRemove: (() => void) | null
}

export function Condition({ rule, number, onChange, onRemove }: ConditionProps) {
  const { t, say, translator } = useTexts()
  const { type } = rule
  const { base, name } = partsOfMetric(type)
  const known = needsName(base) ? base : metricOf(type)
  const side = sideOf(rule)
  const metrics = Object.keys(ruleMetrics).map((metric) => ({
    value: metric,
    label: metricName(needsName(metric) ? `${metric}:…` : metric, translator),
  }))
  return (
    <fieldset className={css.condition} aria-label={t('ui.rule.form.condition', { number })}>
      {number > 1 && <span className={css.keyword}>{t('ui.rule.form.and')}</span>}
      <InlineSelect
        label={t('ui.rule.form.metric', { number })}
        className={css.token}
        options={known ? metrics : [...metrics, { value: type, label: metricName(type, translator) }]}
        value={known ?? type}
        onChange={(chosen) => onChange(withType(rule, needsName(chosen) ? `${chosen}:` : chosen, ports.now()))}
      />
      {needsName(base) && (
        <TypedValue
          key={base}
          label={t('ui.rule.form.name', { number })}
          shown={name}
          isWrong={metricOf(type) === null}
          unit={null}
          onType={(text) => onChange({ ...rule, type: `${base}:${text.trim()}` })}
          why={t('ui.rule.form.wrongName')}
        />
      )}
      {unitOf(type) !== 'none' && (
        <>
          <InlineSelect
            label={t('ui.rule.form.side', { number })}
            className={css.token}
            options={sides.map((value) => ({ value, label: say(`ui.rule.form.sides.${value}`) }))}
            value={side}
            onChange={(chosen) => onChange(withSide(rule, chosen as Side))}
          />
          {limitsOf[side].map((limit, index) => (
            <LimitInput key={`${type} ${limit}`} {...{ rule, limit, number, onChange }} isSecond={index > 0} />
          ))}
        </>
      )}
      {isCycleType(type) ? (
        <CycleInputs {...{ rule, number, onChange }} />
      ) : (
        <TimeInput {...{ rule, number, onChange }} />
      )}
      {onRemove && (
        <span className={css.remove}>
          <IconButton size="small" icon="x" label={t('ui.rule.form.remove', { number })} onPress={onRemove} />
        </span>
      )}
    </fieldset>
  )
}

type Part = Pick<ConditionProps, 'rule' | 'number' | 'onChange'>

function LimitInput({ rule, limit, number, onChange, isSecond }: Part & { limit: Limit; isSecond: boolean }) {
  const { t } = useTexts()
  const unit = unitOf(rule.type)
  const units = { percent: t('ui.units.head.percent'), celsius: t('ui.units.celsius', { value: '' }).trim() }
  return (
    <>
      {isSecond && <span className={css.keyword}>{t('ui.rule.form.to')}</span>}
      <TypedValue
        label={t(`ui.rule.form.${limit}`, { number })}
        shown={shownLimit(rule.type, rule[limit])}
        isWrong={Number.isNaN(rule[limit])}
        unit={unit in units ? units[unit as keyof typeof units] : null}
        onType={(text) => onChange({ ...rule, [limit]: typedLimit(rule.type, text) })}
        why={unit === 'percent' ? t('ui.rule.form.wrongPercent') : t('ui.rule.form.wrongLimit')}
      />
    </>
  )
}

function TimeInput({ rule, number, onChange }: Part) {
  const { t } = useTexts()
  const samples = shownSamples(rule)
  return (
    <>
      <span className={css.keyword}>{t('ui.rule.form.for')}</span>
      <TypedValue
        label={t('ui.rule.form.time', { number })}
        shown={Number.isNaN(samples) ? '' : String(samples * sampleSeconds)}
        isWrong={Number.isNaN(samples)}
        unit={t('ui.units.seconds', { value: '' }).trim()}
        onType={(text) => onChange({ ...rule, duration: typedSamples(parseDuration(text.trim())) })}
        why={t('ui.rule.form.wrongTime')}
      />
    </>
  )
}

/** "in 1 month from 1 Nov, 00:00", in local time. */
function CycleInputs({ rule, number, onChange }: Part) {
  const { t, say } = useTexts()
  const { cycle_interval: count = 1, cycle_start: start } = rule
  const shownCount = Number.isNaN(count) ? 1 : count
  const unit = cycleUnitOf(rule)
  return (
    <>
      <span className={css.keyword}>{t('ui.rule.form.in')}</span>
      <TypedValue
        label={t('ui.rule.form.cycleCount', { number })}
        shown={Number.isNaN(count) ? '' : String(count)}
        isWrong={Number.isNaN(count)}
        unit={null}
        onType={(text) => onChange({ ...rule, cycle_unit: unit, cycle_interval: wholeNumber(text) })}
        why={t('ui.rule.form.wrongCount')}
      />
      <InlineSelect
        label={t('ui.rule.form.cycleUnit', { number })}
        className={css.token}
        options={cycleUnits.map((value) => ({
          value,
          label: say(`ui.rule.every.${value}`, { count: shownCount }).replace(String(shownCount), '').trim(),
        }))}
        value={unit}
        onChange={(chosen) => onChange({ ...rule, cycle_unit: chosen })}
      />
      <span className={css.keyword}>{t('ui.rule.form.from')}</span>
      <span className={css.value}>
        <input
          type="datetime-local"
          className={css.typed}
          aria-label={t('ui.rule.form.cycleStart', { number })}
          value={localOf(start)}
          onChange={({ target }) => onChange({ ...rule, cycle_unit: unit, cycle_start: instantOf(target.value) })}
        />
      </span>
    </>
  )
}

const wholeNumber = (text: string) => (/^[1-9]\d{0,5}$/.test(text.trim()) ? Number(text) : unreadable)

function localOf(instant: string | null | undefined): string {
  const at = Date.parse(instant ?? '')
  if (Number.isNaN(at)) return ''
  const shifted = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

const instantOf = (local: string) => (local === '' ? '' : new Date(local).toISOString())

/** A value with unit inside a sentence. Text stays as typed until valid; `why` says what is expected. */
function TypedValue({
  label,
  shown,
  unit,
  isWrong,
  why,
  onType,
}: {
  label: string
  shown: string
  unit: string | null
  isWrong: boolean
  why: string
  onType: (text: string) => void
}) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [isLeft, setLeft] = useState(false)
  const text = typed ?? shown
  const isTold = isWrong && isLeft
  return (
    <>
      <span className={css.value} data-invalid={isTold || undefined}>
        <input
          className={css.typed}
          style={{ width: `calc(${Math.max(2, text.length)}ch + 18px)` }}
          aria-label={unit === null ? label : `${label} (${unit})`}
          aria-invalid={isTold || undefined}
          {...(isTold ? { 'aria-describedby': id } : {})}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          onChange={({ target }) => {
            setTyped(target.value)
            onType(target.value)
          }}
          onBlur={() =>
            afterPress(() => {
              setLeft(true)
              if (!isWrong) setTyped(null)
            })
          }
        />
        {unit !== null && (
          <span className={css.unit} aria-hidden="true">
            {unit}
          </span>
        )}
      </span>
      {isTold && <FieldNote id={id} error={why} />}
    </>
  )
}
