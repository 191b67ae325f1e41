/** The pictures of a map. `url` is a template such as `https://tiles.example/{z}/{x}/{y}.png`. */
type Tiles = { url: string; attribution: string };

export const settings: { stage: string; wallet: 'real' | 'simulated'; mapTiles?: Tiles } = {
  stage: '',
  wallet: 'real',
  ...JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=console-settings]')?.content || '{}'),
};
