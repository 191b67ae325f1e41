import { Paper, Text } from '@mantine/core';
import { useThrottledValue } from '@mantine/hooks';
import { circleMarker, control, featureGroup, type Map as LeafletMap, map, tileLayer } from 'leaflet';
import leafletStyle from 'leaflet/dist/leaflet.css?inline';
import { useEffect, useMemo, useRef } from 'react';
import { settings } from '../../api/settings.ts';
import type { Place } from '../../api/use-places.ts';
import { nameOf } from '../../parts/places.ts';

const { mapTiles } = settings;
const moscow = [55.75, 37.62] as const;
const style = { radius: 5, weight: 1, color: '#1971c2', fillOpacity: 0.6 };

/** How often points are drawn while pages of them come. */
const drawMs = 1_000;

/** Points on a canvas: 10,000 of them are drawn in one go. Tiles lie below where the stage has an address of some. */
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
      // Of a map that is gone already, it would draw on nothing in the next frame.
      if (view.current) drawn.remove();
    };
  }, [points]);

  return (
    <Paper component="section" withBorder p="xs" aria-label="Map">
      <style>{leafletStyle}</style>
      <div
        ref={element}
        role="application"
        aria-label={`Map of ${points.length} service points; the table below has the same`}
        style={{ height: 360, background: 'light-dark(#eef2f5, #2b2f33)', zIndex: 0 }}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {points.length} of {places.length} service points have a position. Choose one to see its name.
        {mapTiles && ` Map: ${mapTiles.attribution}`}
      </Text>
    </Paper>
  );
}

function pointOf(place: Place) {
  const { geoPoint } = place.placeInfo;
  return geoPoint ? [circleMarker([geoPoint.lat, geoPoint.lng], style).bindPopup(() => popupOf(place))] : [];
}

/** An element, since Leaflet takes a string for HTML. */
function popupOf(place: Place): HTMLElement {
  const text = document.createElement('span');
  text.textContent = nameOf(place);
  return text;
}
