import type { ResourceName } from '@qd/core/define'
import { resourceByName } from '@qd/core/resources'
import { recordPath } from '@qd/core/view'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import * as css from './Items.css.ts'

export interface LinkTo {
  readonly name: ResourceName
  readonly id: number
  readonly title: string
}

const few = 12

export function Links({ of }: { of: readonly LinkTo[] }) {
  const { t } = useTexts()
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? of : of.slice(0, few)
  return (
    <span className={css.links}>
      {shown.map(({ name, id, title }) => (
        <Link key={`${name} ${id}`} to={recordPath(resourceByName(name), id)}>
          {title}
        </Link>
      ))}
      {shown.length < of.length && (
        <Button size="small" tone="ghost" onPress={() => setWhole(true)}>
          {t('ui.picker.more', { count: of.length - shown.length })}
        </Button>
      )}
    </span>
  )
}
