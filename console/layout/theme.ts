import { Alert, Badge, type CSSVariablesResolver, createTheme, Text } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'blue',
  // These shades are darker than Mantine's own, so that white text on them has a contrast of at least 4.5.
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Alerts and badges use the page's text colour. White on a colour is too pale in the dark scheme, and a colour on its
  // own tint is too pale in the light one.
  components: {
    Alert: Alert.extend({ styles: { title: { color: 'var(--mantine-color-text)' } } }),
    Badge: Badge.extend({ defaultProps: { variant: 'dot', tt: 'none', miw: 'max-content' } }),
    Text: Text.extend({ defaultProps: { size: 'sm' } }),
    // The names alone set what follows, without imports that the first view would load.
    // The browser would take a `header` for a second banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    Code: { styles: { root: { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } } },
    // Names for screen readers, which Mantine leaves out.
    Pagination: {
      defaultProps: {
        size: 'sm',
        getControlProps: (control: string) => ({ 'aria-label': `${control} page` }),
        getItemProps: (number: number) => ({ 'aria-label': `Page ${number}` }),
      },
    },
    Modal: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, styles: { title: { fontWeight: 700 } } },
    },
  },
});

/** Gives grey and red text a contrast of at least 4.5. */
export const cssVariables: CSSVariablesResolver = ({ colors: { gray, dark, red } }) => {
  const of = (grey: string, error: string) => ({
    '--mantine-color-dimmed': grey,
    '--mantine-color-placeholder': grey,
    '--mantine-color-error': error,
  });
  return { variables: {}, light: of(gray[7], red[9]), dark: of(dark[1], red[4]) };
};
