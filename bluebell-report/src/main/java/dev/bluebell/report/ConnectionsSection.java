package dev.bluebell.report;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.report.timeline.Failure;
import dev.bluebell.report.timeline.Moment;
import dev.bluebell.report.timeline.Request;
import dev.bluebell.report.timeline.Timeline;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The queue pairs of a device as a picture: pairs connected on this device side by side, peers on
 * other devices outside.
 */
final class ConnectionsSection {
  private static final int SHOWN = 40;

  private static final int WIDTH = 920;
  private static final int BOX = 250;
  private static final int LEFT = 30;
  private static final int RIGHT = WIDTH - LEFT - BOX;
  private static final int ROW = 46;
  private static final int HEIGHT = 36;
  private static final int TOP = 34;

  private final Timeline timeline;
  private final Map<Integer, Load> loads = new TreeMap<>();
  private final Set<Integer> ours;

  /**
   * The work of a queue pair.
   *
   * @param failures requests and receives that failed, without those that were flushed
   */
  private record Load(int requests, int failures) {
    static final Load NONE = new Load(0, 0);

    Load plus(Load other) {
      return new Load(requests + other.requests, failures + other.failures);
    }

    /**
     * Describes the work.
     *
     * @param isWhole whether the record has all of it
     */
    String describe(boolean isWhole) {
      return (isWhole ? Counted.of(requests, "request") : requests + " recorded")
          + (failures > 0 ? ", %d failed".formatted(failures) : "");
    }
  }

  /**
   * Two queue pairs, or one that has no peer.
   *
   * @param isHere whether both are on this device
   * @param peer number of the peer; -1 for none
   * @param label service, and the address of a peer on another device
   */
  private record Pair(int queuePair, boolean isHere, int peer, String label) {}

  private ConnectionsSection(Timeline timeline) {
    this.timeline = timeline;
    ours = new TreeSet<>(timeline.queuePairs());
    ours.addAll(timeline.connections().keySet());
    timeline.requests().forEach(request -> add(request.queuePair(), new Load(1, 0)));
    for (Failure failure : timeline.failures()) {
      if (!failure.isFlush()) {
        add(failure.completion().queuePair(), new Load(0, 1));
      }
    }
  }

  private void add(int queuePair, Load load) {
    loads.merge(queuePair, load, Load::plus);
  }

  static Html of(String device, Timeline timeline) {
    return new ConnectionsSection(timeline).draw(device);
  }

  private Html draw(String device) {
    List<Pair> all = pairs();
    List<Pair> pairs = all.stream().limit(SHOWN).toList();
    if (pairs.isEmpty()) {
      return new Html().add("<p>No queue pair of %s did anything.</p>", device);
    }
    int inside = (int) pairs.stream().filter(Pair::isHere).count();
    int bottom = TOP + pairs.size() * ROW;
    Html svg = new Html();
    svg.add(
        "<svg class=\"connections\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"connections\">",
        WIDTH, bottom + 12);
    // The frame encloses both ends of the device's own pairs, and one end of the others.
    int knee = inside == pairs.size() ? bottom + 6 : TOP + inside * ROW - 4;
    int narrow = LEFT + BOX + 16;
    svg.add(
        "<path class=\"device\" d=\"M8 4H%d V%d H%d V%d H8Z\"/>",
        inside > 0 ? WIDTH - 8 : narrow, inside > 0 ? knee : bottom + 6, narrow, bottom + 6);
    svg.add("<text class=\"name\" x=\"%d\" y=\"24\">%s</text>", LEFT, device);
    for (int i = 0; i < pairs.size(); i++) {
      draw(svg, pairs.get(i), TOP + i * ROW);
    }
    svg.add("</svg>");
    if (all.size() > SHOWN) {
      svg.add("<p>%d more are not shown; those that failed come first.</p>", all.size() - SHOWN);
    }
    return svg;
  }

  private void draw(Html svg, Pair pair, int y) {
    box(svg, LEFT, y, pair.queuePair(), "");
    if (pair.peer() < 0) {
      return;
    }
    int middle = y + HEIGHT / 2;
    svg.add("<path class=\"line\" d=\"M%d %dH%d\"/>", LEFT + BOX, middle, RIGHT);
    svg.add(
        "<text class=\"label\" x=\"%d\" y=\"%d\">%s</text>", WIDTH / 2, middle - 6, pair.label());
    box(svg, RIGHT, y, pair.peer(), owner(pair));
  }

  /** The owner of the peer if its requests are not in the record; empty if they are. */
  private String owner(Pair pair) {
    if (!pair.isHere()) {
      return "on another device";
    }
    return ours.contains(pair.peer()) ? "" : "of another application";
  }

  /**
   * Draws a queue pair.
   *
   * @param owner owner of the queue pair; empty when its requests are in the record
   */
  private void box(Html svg, int x, int y, int queuePair, String owner) {
    boolean isOurs = owner.isEmpty();
    Load load = isOurs ? load(queuePair) : Load.NONE;
    svg.add(
        "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\"/>",
        load.failures() > 0 ? "failed" : isOurs ? "queue-pair" : "peer", x, y, BOX, HEIGHT);
    svg.add("<text x=\"%d\" y=\"%d\">QP 0x%x</text>", x + 10, y + 23, queuePair);
    svg.add(
        "<text class=\"work\" x=\"%d\" y=\"%d\">%s</text>",
        x + BOX - 10, y + 23, isOurs ? load.describe(timeline.overwritten().isEmpty()) : owner);
  }

  private Load load(int queuePair) {
    return loads.getOrDefault(queuePair, Load.NONE);
  }

  /**
   * Pairs on this device come first; within each group, the most failures, then the most requests.
   */
  private List<Pair> pairs() {
    List<Pair> pairs = new ArrayList<>();
    Set<Integer> drawn = new TreeSet<>();
    for (HcaHappening connection : timeline.connections().values()) {
      boolean isHere = connection.index() != 0;
      if (!isHere || !isSecond(connection)) {
        drawn.add(connection.number());
        if (isHere) {
          drawn.add(connection.detail());
        }
        pairs.add(pair(connection, isHere));
      }
    }
    for (Pair delivery : deliveries()) {
      drawn.add(delivery.queuePair());
      drawn.add(delivery.peer());
      pairs.add(delivery);
    }
    for (int queuePair : ours) {
      if (drawn.add(queuePair)) {
        pairs.add(new Pair(queuePair, false, -1, ""));
      }
    }
    pairs.sort(
        Comparator.comparing((Pair pair) -> !pair.isHere())
            .thenComparing(pair -> -failed(pair))
            .thenComparing(pair -> -load(pair.queuePair()).requests()));
    return pairs;
  }

  /**
   * True if the pair is drawn already, because the peer is connected to this queue pair in turn.
   */
  private boolean isSecond(HcaHappening connection) {
    HcaHappening other = timeline.connections().get(connection.detail());
    return other != null
        && other.index() != 0
        && other.detail() == connection.number()
        && other.number() < connection.number();
  }

  private int failed(Pair pair) {
    return load(pair.queuePair()).failures() + (pair.isHere() ? load(pair.peer()).failures() : 0);
  }

  private static Pair pair(HcaHappening connection, boolean isHere) {
    String text = connection.text() == null ? "" : connection.text();
    String label =
        Stream.of(text.split(" ")).limit(isHere ? 1 : 2).collect(Collectors.joining(" "));
    return new Pair(connection.number(), isHere, connection.detail(), label);
  }

  /**
   * Requesters without a fixed peer (datagrams, DC), each paired with the responders of its
   * requests.
   */
  private Collection<Pair> deliveries() {
    Set<Pair> pairs = new LinkedHashSet<>();
    for (Request request : timeline.requests()) {
      Moment delivery = request.delivery();
      if (delivery != null && !timeline.connections().containsKey(request.queuePair())) {
        int responder = delivery.happening().number();
        pairs.add(new Pair(request.queuePair(), true, responder, ""));
      }
    }
    return pairs;
  }
}
