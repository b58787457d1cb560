/** Values of the fields below an element, by their names; unticked boxes are left out. */
export function readFields(root: ParentNode): Readonly<Record<string, string>> {
  const values: Record<string, string> = {}
  for (const field of fieldsOf(root)) {
    if (field instanceof HTMLInputElement && field.type === 'checkbox' && !field.checked) continue
    values[field.name] = field.value
  }
  return values
}

/** Whether all fields below an element are valid; the browser shows the problem of the first invalid one. */
export function reportFields(root: ParentNode): boolean {
  return fieldsOf(root).every((field) => field.reportValidity())
}

/** Resets the fields below an element to their attributes, as resetting a form does. */
export function resetFields(root: ParentNode): void {
  for (const field of root.querySelectorAll<Field>('input, textarea, select')) {
    if (field instanceof HTMLSelectElement) {
      const chosen = [...field.options].findIndex(({ defaultSelected }) => defaultSelected)
      field.selectedIndex = Math.max(0, chosen)
    } else if (field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type)) {
      field.checked = field.defaultChecked
    } else {
      field.value = field.defaultValue
    }
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

function fieldsOf(root: ParentNode): readonly Field[] {
  return [...root.querySelectorAll<Field>('input[name], textarea[name], select[name]')]
}
