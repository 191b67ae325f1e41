export const settings: { stage: string; wallet: 'real' | 'simulated' } = {
  stage: '',
  wallet: 'real',
  ...JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=console-settings]')?.content || '{}'),
};
