import { Group, Paper, Text } from '@mantine/core';
import { useThrottledValue } from '@mantine/hooks';
import {
  circleMarker,
  control,
  divIcon,
  featureGroup,
  type Layer,
  type Map as LeafletMap,
  map,
  marker,
  popup,
} from 'leaflet';
import leafletStyle from 'leaflet/dist/leaflet.css?inline';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import type { Place } from '../../api/use-places.ts';
import { count } from '../../parts/count.ts';
import { nameOf } from '../../parts/places.ts';
import { KindBadge } from './kind-badge.tsx';
import { type Kind, kinds, type Mark, type Point } from './points.ts';

const moscow = [55.75, 37.62] as const;
const markStyle = {
  display: 'block',
  font: 'bold 14px/16px sans-serif',
  color: '#fff',
  textAlign: 'center',
  border: '1px solid #fff',
  borderRadius: '9px',
};
const style = { radius: 5, weight: 1, color: '#1971c2', fillOpacity: 0.6 };

/** While pages of points arrive, the map is drawn at most this often. */
const drawMs = 1_000;

type Props = {
  places: readonly Place[];
  /** The points that a list would change, 300 at most: they have elements of their own, with a sign. */
  marks: readonly Mark[];
  /** The point that the user asked for. */
  focused: Point | undefined;
};

/** Draws the points on one canvas, which is quick for 10,000 of them. */
export function PlacesMap({ places: read, marks, focused }: Props) {
  const places = useThrottledValue(read, drawMs);
  const element = useRef<HTMLDivElement>(null);
  const view = useRef<LeafletMap>(undefined);
  const points = useMemo(() => places.flatMap(pointOf), [places]);
  const markers = useMemo(() => marks.flatMap(markerOf), [marks]);

  useEffect(() => {
    if (!element.current) return;
    const made = map(element.current, { attributionControl: false, zoomSnap: 0.5, preferCanvas: true });
    view.current = made.setView([...moscow], 10);
    control.scale({ imperial: false }).addTo(made);
    return () => {
      view.current = undefined;
      made.remove();
    };
  }, []);

  useLayers(view, points, 0);
  useLayers(view, markers, 20);

  useEffect(() => {
    if (!view.current || !focused?.position) return;
    const [lat, lng] = focused.position;
    view.current.setView([lat, lng], 15, { animate: false });
    popup().setLatLng([lat, lng]).setContent(popupOf(focused.name)).openOn(view.current);
    element.current?.scrollIntoView({ block: 'center' });
    element.current?.focus();
  }, [focused]);

  return (
    <Paper component="section" withBorder p="xs" aria-label="Map">
      <style>{leafletStyle}</style>
      <div
        ref={element}
        role="application"
        aria-label={`Map of ${count(points.length)} service points; the table below has the same`}
        style={{
          height: 'calc(33vh - 40px)',
          minHeight: 160,
          background: 'light-dark(#eef2f5, #2b2f33)',
          zIndex: 0,
        }}
      />
      {marks.length > 0 && <Legend marks={marks} />}
      <Text size="xs" c="dimmed" mt={4}>
        {count(points.length)} of {count(places.length)} service points have a position. Choose one to see its
        name.
      </Text>
    </Paper>
  );
}

/** Draws the layers, and moves the map to where they are. */
function useLayers(view: RefObject<LeafletMap | undefined>, layers: readonly Layer[], paddingPx: number) {
  useEffect(() => {
    if (!view.current) return;
    const drawn = featureGroup([...layers]).addTo(view.current);
    const bounds = drawn.getBounds();
    const padding: [number, number] = [paddingPx, paddingPx];
    if (bounds.isValid()) view.current.fitBounds(bounds, { maxZoom: 15, animate: false, padding });
    return () => {
      // Without the map, Leaflet would fail in the next frame, when it draws the canvas without this layer.
      if (view.current) drawn.remove();
    };
  }, [view, layers, paddingPx]);
}

function pointOf(place: Place) {
  const { geoPoint } = place.placeInfo;
  return geoPoint
    ? [circleMarker([geoPoint.lat, geoPoint.lng], style).bindPopup(() => popupOf(nameOf(place)))]
    : [];
}

/** Returns an element because Leaflet reads a string as HTML. */
function popupOf(name: string): HTMLElement {
  const text = document.createElement('span');
  text.textContent = name;
  return text;
}

/** The table of changes has the same points, so that the keyboard need not pass hundreds of marks. */
function markerOf({ kind, name, position }: Mark) {
  if (!position) return [];
  const { sign, word, color } = kinds[kind];
  const html = document.createElement('span');
  html.textContent = sign;
  Object.assign(html.style, markStyle, { background: color });
  const icon = divIcon({ html, className: '', iconSize: [18, 18] });
  const [lat, lng] = position;
  return [marker([lat, lng], { icon, keyboard: false }).bindPopup(() => popupOf(`${word}: ${name}`))];
}

function Legend({ marks }: { marks: readonly Mark[] }) {
  const many = (kind: Kind) => marks.filter((mark) => mark.kind === kind && mark.position).length;
  return (
    <Group component="section" gap="xs" mt={4} aria-label="Legend">
      <Text size="xs">The preview, on the map:</Text>
      {(Object.keys(kinds) as Kind[]).map((kind) => (
        <KindBadge key={kind} kind={kind} text={`${count(many(kind))} ${kinds[kind].word}`} />
      ))}
    </Group>
  );
}
