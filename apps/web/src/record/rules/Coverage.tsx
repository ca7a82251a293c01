import type { RuleCondition } from '@qd/core/define'
import { coveredIds } from '@qd/core/fields'
import { WatchCover } from '@qd/core/schemas'
import { type FormModel, type FormTargets, formTargetsTexts, targetsOfForm } from '@qd/core/view'
import { session, view } from '../../base/state/stores.ts'
import { surface } from '../../base/state/surface.ts'
import { useTexts } from '../../base/state/texts.ts'
import { InlineSelect } from '../../ui/inputs/InlineSelect.tsx'
import { RefsPicker } from '../fields/inputs/RefsInput.tsx'
import * as css from './RulesInput.css.ts'

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
