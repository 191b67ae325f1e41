import { Paper, Text } from '@mantine/core';
import { useThrottledValue } from '@mantine/hooks';
import { circleMarker, control, featureGroup, type Map as LeafletMap, map, tileLayer } from 'leaflet';
import leafletStyle from 'leaflet/dist/leaflet.css?inline';
import { useEffect, useMemo, useRef } from 'react';
import { settings } from '../../api/settings.ts';
import type { Place } from '../../api/use-places.ts';
import { count } from '../../parts/count.ts';
import { nameOf } from '../../parts/places.ts';

const { mapTiles } = settings;
const moscow = [55.75, 37.62] as const;
const style = { radius: 5, weight: 1, color: '#1971c2', fillOpacity: 0.6 };

/** While pages of points arrive, the map is drawn at most this often. */
const drawMs = 1_000;

/** Draws the points on one canvas, which is quick for 10,000 of them, above map tiles if the stage has an address for tiles. */
export function PlacesMap({ places: read }: { places: readonly Place[] }) {
  const places = useThrottledValue(read, drawMs);
  const element = useRef<HTMLDivElement>(null);
  const view = useRef<LeafletMap>(undefined);
  const points = useMemo(() => places.flatMap(pointOf), [places]);

  useEffect(() => {
    if (!element.current) return;
    const made = map(element.current, { attributionControl: false, zoomSnap: 0.5, preferCanvas: true });
    view.current = made.setView([...moscow], 10);
    control.scale({ imperial: false }).addTo(made);
    if (mapTiles) tileLayer(mapTiles.url).addTo(made);
    return () => {
      view.current = undefined;
      made.remove();
    };
  }, []);

  useEffect(() => {
    if (!view.current) return;
    const drawn = featureGroup(points).addTo(view.current);
    if (points.length > 0) view.current.fitBounds(drawn.getBounds(), { maxZoom: 15, animate: false });
    return () => {
      // Without the map, Leaflet would fail in the next frame, when it draws the canvas without this layer.
      if (view.current) drawn.remove();
    };
  }, [points]);

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
      <Text size="xs" c="dimmed" mt={4}>
        {count(points.length)} of {count(places.length)} service points have a position. Choose one to see its
        name.
        {mapTiles && ` Map: ${mapTiles.attribution}`}
      </Text>
    </Paper>
  );
}

function pointOf(place: Place) {
  const { geoPoint } = place.placeInfo;
  return geoPoint ? [circleMarker([geoPoint.lat, geoPoint.lng], style).bindPopup(() => popupOf(place))] : [];
}

/** Returns an element because Leaflet reads a string as HTML. */
function popupOf(place: Place): HTMLElement {
  const text = document.createElement('span');
  text.textContent = nameOf(place);
  return text;
}
