package dev.bluebell.roce.conversation;

import java.util.ArrayList;
import java.util.List;

/**
 * The packets between two queue pairs, summarized by direction.
 *
 * @param service such as RC
 * @param directions one or both; the one that started is first
 */
public record Conversation(String service, List<Direction> directions) {
  /** Takes a copy of the directions. */
  public Conversation {
    directions = List.copyOf(directions);
  }

  /** The conversation in lines: the ends, then each direction. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    Direction first = directions.getFirst();
    lines.add(
        "%s %s %s and %s %s"
            .formatted(
                service,
                first.source(),
                Direction.queuePair(first.sourceQpn()),
                first.destination(),
                Direction.queuePair(first.destinationQpn())));
    directions.forEach(direction -> lines.add("  " + direction.line()));
    return lines;
  }
}
