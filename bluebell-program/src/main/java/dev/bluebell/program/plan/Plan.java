package dev.bluebell.program.plan;

import dev.bluebell.program.Input;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A program in its queues: all but numbers, keys and addresses.
 *
 * @param name of the program
 * @param queues the entries of each queue, in order
 * @param areas its memory, in the order in which it is laid out
 * @param message what the client sends, part by part
 */
public record Plan(
    String name, Map<Lane, List<Entry>> queues, List<Area> areas, List<MessagePart> message) {
  /** Copies lists and map. */
  public Plan {
    Map<Lane, List<Entry>> copy = new EnumMap<>(Lane.class);
    for (Lane lane : Lane.values()) {
      copy.put(lane, List.copyOf(queues.getOrDefault(lane, List.of())));
    }
    queues = copy;
    areas = List.copyOf(areas);
    message = List.copyOf(message);
  }

  /** The entries of a queue. */
  public List<Entry> queue(Lane lane) {
    return queues.getOrDefault(lane, List.of());
  }

  /** WQEBBs of a queue. */
  public int wqebbs(Lane lane) {
    return queue(lane).stream().mapToInt(Entry::wqebbs).sum();
  }

  /** Length of the client's message. */
  public int messageBytes() {
    return message.stream().mapToInt(part -> part.to().length()).sum();
  }

  /**
   * The client's message.
   *
   * @param inputs the bytes of every input
   * @throws IllegalArgumentException when an input is missing or has another length
   */
  public byte[] encode(Map<Input<?>, byte[]> inputs) {
    ByteBuffer bytes = ByteBuffer.allocate(messageBytes());
    for (MessagePart part : message) {
      byte[] value = inputs.get(part.input());
      if (value == null || value.length != part.input().bytes()) {
        throw new IllegalArgumentException(
            "%s needs %d bytes".formatted(part.input(), part.input().bytes()));
      }
      bytes.put(part.encode(value));
    }
    return bytes.array();
  }

  /** The area of a name. */
  public Area area(String areaName) {
    return areas.stream()
        .filter(area -> area.name().equals(areaName))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(name + " has no " + areaName));
  }

  /** Bytes of all areas, laid out one behind the other, each aligned to 8 bytes. */
  public int memoryBytes() {
    return areas.stream().mapToInt(area -> aligned(area.bytes())).sum();
  }

  /** Where an area starts in the program's memory. */
  public int offset(Area area) {
    int offset = 0;
    for (Area each : areas) {
      if (each == area) {
        return offset;
      }
      offset += aligned(each.bytes());
    }
    throw new IllegalArgumentException("%s is no area of %s".formatted(area.name(), name));
  }

  private static int aligned(int bytes) {
    return bytes + 7 & ~7;
  }
}
