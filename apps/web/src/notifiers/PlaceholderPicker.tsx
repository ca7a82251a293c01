import {
  Autocomplete,
  Dialog,
  DialogTrigger,
  Input,
  Menu,
  MenuItem,
  Popover,
  SearchField,
  useFilter,
} from 'react-aria-components'
import { capsOf } from '../keys.ts'
import { useTexts } from '../texts.ts'
import { Button } from '../ui/Button.tsx'
import { box, faint, input, option, popover } from '../ui/Field.css.ts'
import { Icon } from '../ui/Icon.tsx'
import * as css from './PlaceholderPicker.css.ts'
import { placeholderWords } from './placeholder-words.ts'
import { sampleOf, useSample } from './sample.ts'

/** What can be filled in, with its meaning and what it is now for the sample server; found by any of these words. */
export function PlaceholderPicker({
  units,
  isOpen,
  onOpen,
  onInsert,
}: {
  units: boolean
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onInsert: (placeholder: string) => void
}) {
  const texts = useTexts()
  const { t } = texts
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={onOpen}>
      <Button tone="ghost" size="small" icon="plus" caps={capsOf('insert')}>
        {t('ui.keys.insert')}
      </Button>
      <Popover className={popover} placement="bottom end" offset={4}>
        <Dialog className={css.panel} aria-label={t('ui.keys.insert')}>
          <Choices units={units} onInsert={onInsert} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

function Choices({ units, onInsert }: { units: boolean; onInsert: (placeholder: string) => void }) {
  const texts = useTexts()
  const { t } = texts
  const { fill } = useSample(units)
  const { contains } = useFilter({ sensitivity: 'base' })
  const label = t('ui.notifier.findPlaceholder')
  return (
    <Autocomplete filter={contains}>
      <SearchField aria-label={label} autoFocus className={box({ size: 'small' })}>
        <Icon name="search" size={14} className={faint} />
        <Input className={input} placeholder={label} />
      </SearchField>
      <Menu
        className={css.list}
        aria-label={t('ui.keys.insert')}
        onAction={(key) => onInsert(String(key))}
        renderEmptyState={() => <div className={css.none}>{t('ui.list.noResults')}</div>}
      >
        {placeholderWords(texts).map(({ placeholder, meaning }) => {
          const sample = sampleOf(placeholder, fill)
          return (
            <MenuItem key={placeholder} id={placeholder} textValue={`${placeholder} ${meaning}`} className={option}>
              <span className={css.name}>{placeholder}</span>
              <span className={css.meaning}>{meaning}</span>
              <span className={css.sample}>{sample}</span>
            </MenuItem>
          )
        })}
      </Menu>
    </Autocomplete>
  )
}
