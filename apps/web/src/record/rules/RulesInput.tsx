import type { RuleCondition } from '@qd/core/define'
import { firstItem } from '@qd/core/errors'
import { coveredIds, parseInput } from '@qd/core/fields'
import { WatchCover } from '@qd/core/schemas'
import { type FormModel, type FormTargets, formTargetsTexts, targetsOfForm } from '@qd/core/view'
import { useRef, useState } from 'react'
import { ports } from '../../base/ports.ts'
import { session, view } from '../../base/state/stores.ts'
import { surface } from '../../base/state/surface.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/drawings/Icon.tsx'
import { FieldNote } from '../../ui/inputs/Field.tsx'
import { InlineSelect } from '../../ui/inputs/InlineSelect.tsx'
import { TextArea } from '../../ui/inputs/Input.tsx'
import { Segmented } from '../../ui/inputs/Toggle.tsx'
import { type InputProps, leave, useWords } from '../fields/inputs/input.ts'
import { RefsPicker } from '../fields/inputs/RefsInput.tsx'
import { Condition } from './Condition.tsx'
import * as css from './RulesInput.css.ts'
import { everywhere, jsonOf, newCondition, sharesCoverage, withCoverage } from './rule-edit.ts'

/** An invalid list of conditions, which the form’s rules refuse. */
const notJson = '['

export function RulesInput(props: InputProps) {
  const { form, shown, edit } = props
  const { t } = useTexts()
  const { label, error } = useWords(props)
  const rules = shown.value as readonly RuleCondition[]
  const [isJson, setJson] = useState(false)
  const [typed, setTyped] = useState<{ text: string; isRead: boolean } | null>(null)
  const area = useRef<HTMLDivElement>(null)
  const put = (next: readonly RuleCondition[]) => {
    setTyped(null)
    edit(() => form.set(shown.field, next))
  }
  const typeJson = (text: string) => {
    // Conditions are a JSON list; the form parses it, so that an invalid one never becomes its value.
    const json = text.trim().startsWith('[') ? text : notJson
    const { ok } = parseInput(shown.definition, json, { fieldName: shown.field, view })
    setTyped({ text, isRead: ok })
    edit(() => form.setText(shown.field, json))
  }
  /** Unreadable text would be lost in the other view. */
  const show = (view: string) => {
    if (typed?.isRead === false) {
      edit(() => form.touch(shown.field))
      // The press on the switch focuses the switch.
      requestAnimationFrame(() => area.current?.querySelector('textarea')?.focus())
    } else setJson(view === 'json')
  }
  return (
    <div className={css.rules} ref={area}>
      <div className={css.views}>
        <div className={css.viewsSwitch}>
          <Segmented
            label={t('ui.rule.form.view')}
            options={[
              { value: 'sentence', label: t('ui.rule.form.sentence') },
              { value: 'json', label: t('ui.rule.form.json') },
            ]}
            value={isJson ? 'json' : 'sentence'}
            onChange={show}
          />
        </div>
      </div>
      {isJson ? (
        <TextArea
          label={label}
          error={error}
          face="mono"
          rows={12}
          spellCheck={false}
          autoComplete="off"
          value={typed?.text ?? jsonOf(rules)}
          onChange={typeJson}
          onBlur={() => leave({ form, edit }, shown.field)}
        />
      ) : (
        <>
          <Sentence form={form} rules={rules} put={put} />
          {error && <FieldNote error={error} />}
          <p className={css.note}>
            <Icon name="info" size={14} />
            {t('ui.rule.form.note', { count: rules.length })}
          </p>
        </>
      )}
    </div>
  )
}

function Sentence({
  form,
  rules,
  put,
}: Pick<InputProps, 'form'> & { rules: readonly RuleCondition[]; put: (rules: readonly RuleCondition[]) => void }) {
  const { t } = useTexts()
  const keys = useKeys(rules.length)
  const isShared = sharesCoverage(rules)
  const add = () => {
    const { cover, ignore } = rules.at(-1) ?? everywhere
    put([...rules, newCondition('cpu', { cover, ignore }, ports.now())])
  }
  return (
    <div className={css.list}>
      {rules.map((rule, index) => (
        <div key={keys.of(index)} className={css.list}>
          <Condition
            rule={rule}
            number={index + 1}
            onChange={(next) => put(rules.with(index, next))}
            onRemove={
              rules.length > 1
                ? () => {
                    keys.remove(index)
                    put(rules.filter((_, at) => at !== index))
                  }
                : null
            }
          />
          {!isShared && (
            <Coverage
              form={form}
              rule={rule}
              name={t('ui.rule.form.condition', { number: index + 1 })}
              onChange={(coverage) => put(withCoverage(rules, index, coverage))}
            />
          )}
        </div>
      ))}
      <div className={css.condition}>
        <Button tone="ghost" size="small" icon="plus" onPress={add}>
          {t('ui.rule.form.add')}
        </Button>
        {!isShared && (
          <Button
            tone="ghost"
            size="small"
            onPress={() =>
              put(rules.map((rule) => ({ ...rule, cover: firstItem(rules).cover, ignore: firstItem(rules).ignore })))
            }
          >
            {t('ui.rule.form.share')}
          </Button>
        )}
      </div>
      {isShared && rules[0] && (
        <Coverage
          form={form}
          rule={rules[0]}
          name={t('ui.rule.form.allConditions')}
          onChange={(coverage) => put(withCoverage(rules, null, coverage))}
        />
      )}
    </div>
  )
}

/** Keys of conditions, so that typed text stays with its condition when another is removed. */
function useKeys(count: number) {
  const keys = useRef<number[]>([])
  const next = useRef(0)
  while (keys.current.length < count) keys.current.push(next.current++)
  keys.current.length = count
  return {
    of: (index: number) => keys.current[index]!,
    remove: (index: number) => {
      keys.current.splice(index, 1)
    },
  }
}

/** The servers of one or all conditions: "on all servers except lab-1 (118)". */
export function Coverage({
  form,
  rule,
  name,
  onChange,
}: {
  form: FormModel
  rule: RuleCondition
  name: string
  onChange: (coverage: { cover: number; servers: readonly number[] }) => void
}) {
  const { t } = useTexts()
  // The record’s selection already says it for all conditions.
  if (form.values().follows === true) return null
  const servers = coveredIds(rule)
  const isOnly = rule.cover === WatchCover.onlyListed
  const targetPreview = targetsOf(form, rule)
  return (
    <fieldset className={css.coverage} aria-label={name}>
      <span className={css.mode}>
        <span className={css.keyword}>{t('ui.rule.form.on')}</span>
        <InlineSelect
          label={t('ui.rule.form.cover')}
          className={css.token}
          options={[
            { value: 'except', label: t(servers.length > 0 ? 'ui.rule.form.except' : 'ui.rule.form.all') },
            { value: 'only', label: t('ui.rule.form.only') },
          ]}
          value={isOnly ? 'only' : 'except'}
          onChange={(mode) =>
            onChange({ cover: mode === 'only' ? WatchCover.onlyListed : WatchCover.allExcept, servers })
          }
        />
        {targetPreview && (
          <span className={css.count} title={formTargetsTexts(surface(), targetPreview).sentence}>
            {`(${targetPreview.targets.ids.length})`}
          </span>
        )}
      </span>
      <div className={css.servers}>
        <RefsPicker
          label={t(isOnly ? 'ui.rule.form.only' : 'ui.rule.form.except')}
          help={undefined}
          error={null}
          definition={{ kind: 'refs', to: 'server' }}
          fieldName="servers"
          value={servers}
          placeholder={t(isOnly ? 'ui.rule.form.pick' : 'ui.rule.form.pickExcept')}
          onChange={(ids) => onChange({ cover: rule.cover, servers: ids })}
        />
      </div>
    </fieldset>
  )
}

function targetsOf(form: FormModel, rule: RuleCondition): FormTargets | null {
  const { resource, base } = form
  const by = { view, viewer: session.viewer(), row: base ?? undefined }
  return resource && targetsOfForm(resource, { ...form.values(), rules: [rule] }, by)
}
