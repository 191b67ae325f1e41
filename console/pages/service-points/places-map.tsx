import 'leaflet/dist/leaflet.css';
import { Paper, Text } from '@mantine/core';
import {
  type Canvas,
  canvas,
  circleMarker,
  control,
  type FeatureGroup,
  featureGroup,
  type Layer,
  type Map as LeafletMap,
  map,
  tileLayer,
} from 'leaflet';
import { useEffect, useRef } from 'react';
import { settings } from '../../api/settings.ts';
import type { Place } from '../../api/use-places.ts';

const { mapTiles } = settings;

interface Drawn {
  readonly view: LeafletMap;
  readonly points: FeatureGroup;
  readonly renderer: Canvas;
  readonly placeOf: WeakMap<Layer, Place>;
  /** What is drawn, in this order. */
  places: readonly Place[];
}

/** Points on a canvas: 10,000 of them are drawn in one go. Tiles lie below where the stage has an address of some. */
export function PlacesMap({ places }: { readonly places: readonly Place[] }) {
  const element = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn>(undefined);
  const withPoint = places.filter(({ placeInfo }) => placeInfo.geoPoint);

  useEffect(() => {
    if (!element.current) return;
    const view = map(element.current, { attributionControl: false, zoomSnap: 0.5 }).setView(
      [55.75, 37.62],
      10,
    );
    control.scale({ imperial: false }).addTo(view);
    if (mapTiles) tileLayer(mapTiles.url).addTo(view);
    const placeOf = new WeakMap<Layer, Place>();
    // One popup for all, made when it is opened.
    const points = featureGroup().bindPopup((layer) => popupOf(placeOf.get(layer)));
    drawn.current = {
      view,
      points: points.addTo(view),
      placeOf,
      renderer: canvas({ padding: 0.5 }),
      places: [],
    };
    return () => {
      view.remove();
      drawn.current = undefined;
    };
  }, []);

  useEffect(() => {
    if (drawn.current) draw(drawn.current, places);
  }, [places]);

  return (
    <Paper component="section" withBorder p="xs" aria-label="Map">
      <div
        ref={element}
        role="application"
        aria-label={`Map of ${withPoint.length} service points; the table below has the same`}
        style={{ height: 360, background: 'light-dark(#eef2f5, #2b2f33)', zIndex: 0 }}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {withPoint.length} of {places.length} service points have a position. Choose one to see its name.
        {mapTiles && ` Map: ${mapTiles.attribution}`}
      </Text>
    </Paper>
  );
}

function popupOf(place: Place | undefined): HTMLElement {
  const text = document.createElement('span');
  const { name, address } = place?.placeInfo ?? {};
  text.textContent = [name, address, place?.itemId].filter(Boolean).join(' · ');
  return text;
}

/** Pages come one after another: what is drawn stays, and only what follows it is added. */
function draw(drawn: Drawn, places: readonly Place[]): void {
  const { view, points, renderer, placeOf } = drawn;
  const continues = drawn.places.every((place, index) => place === places[index]);
  if (!continues) points.clearLayers();
  for (const place of places.slice(continues ? drawn.places.length : 0)) {
    const { geoPoint } = place.placeInfo;
    if (!geoPoint) continue;
    const style = { renderer, radius: 5, weight: 1, color: '#1971c2', fillOpacity: 0.6 };
    const marker = circleMarker([geoPoint.lat, geoPoint.lng], style);
    placeOf.set(marker, place);
    points.addLayer(marker);
  }
  drawn.places = places;
  const bounds = points.getBounds();
  if (bounds.isValid()) view.fitBounds(bounds, { maxZoom: 15, animate: false });
}
