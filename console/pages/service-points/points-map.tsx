import { Anchor, Text, useMantineTheme } from '@mantine/core';
import { useThrottledValue } from '@mantine/hooks';
import { circleMarker, control, featureGroup, type Map as LeafletMap, map, popup, tileLayer } from 'leaflet';
import leafletStyle from 'leaflet/dist/leaflet.css?inline';
import { useEffect, useEffectEvent, useRef } from 'react';
import { settings } from '../../api/settings.ts';
import { count } from '../../parts/figures.tsx';
import type { Point } from './points.ts';

/** While pages of points arrive, the map is drawn at most this often. */
const drawMs = 1_000;

const background = 'light-dark(var(--mantine-color-gray-1), var(--mantine-color-dark-6))';

const { mapTiles } = settings;

type Props = {
  /** The words for these points: `stored service points`. */
  of: string;
  points: readonly Point[];
  /** The point that the user asked for. */
  asked: Point | undefined;
};

/**
 * Draws points on one canvas, which is quick for 10,000 of them, each in the colour of what a list does to it. There are
 * streets below them if the stage has an address of map tiles.
 */
export function PointsMap({ of, points: given, asked }: Props) {
  const { colors } = useMantineTheme();
  const element = useRef<HTMLDivElement>(null);
  const view = useRef<LeafletMap>(undefined);
  /** Moves the map so that it shows all points. */
  const all = useRef<() => void>(undefined);
  const points = useThrottledValue(given, drawMs);
  const shown = points.filter(({ position }) => position);

  useEffect(() => {
    if (!element.current) return;
    const made = map(element.current, {
      attributionControl: mapTiles !== undefined,
      preferCanvas: true,
      zoomSnap: 0.5,
    });
    made.setView([0, 0], 1);
    control.scale({ imperial: false }).addTo(made);
    if (mapTiles) tileLayer(mapTiles.url, { attribution: mapTiles.attribution }).addTo(made);
    view.current = made;
    return () => {
      view.current = undefined;
      made.remove();
    };
  }, []);

  const showsAsked = useEffectEvent(() => points.some(({ itemId }) => itemId === asked?.itemId));

  useEffect(() => {
    const { current: on } = view;
    if (!on) return;
    const layers = points.flatMap((point) => {
      const { position, mark } = point;
      const color = colors[mark?.color ?? 'blue']?.[8] ?? '';
      const style = { radius: mark ? 7 : 5, weight: 1, color, fillOpacity: 0.6 };
      return position ? [circleMarker([...position], style).bindPopup(() => captionOf(point))] : [];
    });
    const drawn = featureGroup(layers).addTo(on);
    const showAll = () => {
      const bounds = drawn.getBounds();
      if (bounds.isValid()) on.fitBounds(bounds, { maxZoom: 15, animate: false, padding: [20, 20] });
    };
    if (!showsAsked()) {
      on.closePopup();
      showAll();
    }
    all.current = showAll;
    on.on('resize', showAll);
    return () => {
      on.off('resize', showAll);
      // Without the map, Leaflet would fail in the next frame, when it draws the canvas without these points.
      if (view.current) drawn.remove();
    };
  }, [points, colors]);

  useEffect(() => {
    if (!view.current || !asked?.position) return;
    view.current.setView([...asked.position], 15, { animate: false });
    popup()
      .setLatLng([...asked.position])
      .setContent(captionOf(asked))
      .openOn(view.current);
    element.current?.scrollIntoView({ block: 'center' });
    element.current?.focus();
  }, [asked]);

  return (
    <div>
      <style>{leafletStyle}</style>
      <div
        ref={element}
        role="application"
        aria-label={`Map of ${count(shown.length)} ${of}; the table has the same`}
        style={{ height: '33vh', minHeight: 160, background, zIndex: 0 }}
      />
      <Text size="xs" c="dimmed" my={4}>
        {count(shown.length)} of {count(points.length)} {of} have a position. Choose one to see its name.{' '}
        <Anchor
          component="button"
          type="button"
          fz="inherit"
          underline="always"
          onClick={() => all.current?.()}
        >
          Show all
        </Anchor>
      </Text>
    </div>
  );
}

/** Returns an element because Leaflet reads a string as HTML. */
function captionOf({ name, mark }: Point): HTMLElement {
  const text = mark ? `${mark.word}: ${name}` : name;
  return Object.assign(document.createElement('span'), { textContent: text });
}

type LinkProps = { point: Point; text: string; onAsk: (point: Point) => void };

/** The text leads to the point on the map, if it has a position. */
export function PointLink({ point, text, onAsk }: LinkProps) {
  if (!point.position) return text;
  return (
    <Anchor
      component="button"
      type="button"
      ta="left"
      fz="inherit"
      c="inherit"
      underline="always"
      title="Show this service point on the map"
      // A new object each time, so that the map shows the same point again.
      onClick={() => onAsk({ ...point })}
    >
      {text}
    </Anchor>
  );
}
