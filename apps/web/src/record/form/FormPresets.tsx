import { textKey } from '@qd/core/define'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { presetsLabel, presets as row } from './Form.css.ts'
import type { FormState } from './form-state.ts'

/** Ways to begin a new record. What a person typed into a field that begins empty stays. */
export function FormPresets({ state: { form, edit } }: { state: Pick<FormState, 'form' | 'edit'> }) {
  const { t, say } = useTexts()
  const { resource, mode } = form
  const all = Object.entries(resource?.presets ?? {})
  if (!resource || mode !== 'create' || all.length === 0) return null
  const isOurs = (field: string, value: unknown) =>
    value === resource.initial[field] || all.some(([, values]) => values[field] === value)
  const begin = (values: Readonly<Record<string, unknown>>) =>
    edit(() => {
      const typed = form.values()
      for (const [field, value] of Object.entries(values))
        if (typeof value !== 'string' || isOurs(field, typed[field])) form.set(field, value)
    })
  return (
    <fieldset className={row} data-presets aria-label={t('ui.form.beginWith')}>
      <span className={presetsLabel}>{t('ui.form.beginWith')}</span>
      {all.map(([name, values]) => (
        <Button key={name} size="small" onPress={() => begin(values)}>
          {say(textKey.preset(resource.name, name))}
        </Button>
      ))}
    </fieldset>
  )
}
