package dev.bluebell.program.image;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A program as it is installed. It starts by itself: queues that are not managed execute from index
 * 0 to what is posted, and wait there for what the client sends.
 *
 * @param queues the queue pairs
 * @param completionQueues numbers of the completion queues, all of which ignore overrun
 * @param regions all memory that entries name: rings, data, and what the client gave
 * @param entryPoints what the client may send
 */
public record ProgramImage(
    List<Queue> queues,
    List<Integer> completionQueues,
    List<Region> regions,
    List<EntryPoint> entryPoints) {
  /** Copies the lists. */
  public ProgramImage {
    queues = List.copyOf(queues);
    completionQueues = List.copyOf(completionQueues);
    regions = List.copyOf(regions);
    entryPoints = List.copyOf(entryPoints);
  }

  /**
   * The same, but messages come by a queue pair of their own.
   *
   * @param name of the queue pair
   * @param qpn its number
   * @param send its send ring, in which nothing is posted
   */
  public ProgramImage withEntry(String name, int qpn, Ring send) {
    EntryPoint entry = entryPoints.getFirst();
    List<Queue> changed = new ArrayList<>();
    for (Queue queue : queues) {
      changed.add(queue.qpn() == entry.qpn() ? queue.withoutReceives() : queue);
    }
    Queue taken = queue(entry.qpn()).orElseThrow();
    changed.add(
        new Queue(
            name,
            qpn,
            Queue.CLIENT,
            true,
            true,
            send,
            taken.receive(),
            taken.receiveRecord(),
            taken.sendCq(),
            taken.receiveCq()));
    List<Region> more = new ArrayList<>(regions);
    more.add(send.region());
    EntryPoint moved = new EntryPoint(entry.name(), qpn, entry.messageBytes());
    return new ProgramImage(changed, completionQueues, more, List.of(moved));
  }

  /**
   * The same with other entries in a send ring.
   *
   * @param qpn the queue pair
   * @param content of the region that the ring is all of
   * @param posted slots that hold entries
   */
  public ProgramImage withSends(int qpn, byte[] content, int posted) {
    Ring old = queue(qpn).orElseThrow().send();
    Region region = old.region().withBytes(content);
    Ring ring = new Ring(region, old.offset(), old.logStride(), old.logSlots(), posted);
    return new ProgramImage(
        queues.stream().map(each -> each.qpn() == qpn ? each.withSends(ring) : each).toList(),
        completionQueues,
        regions.stream().map(each -> each.name().equals(region.name()) ? region : each).toList(),
        entryPoints);
  }

  /** The queue pair of a number. */
  public Optional<Queue> queue(int qpn) {
    return queues.stream().filter(queue -> queue.qpn() == qpn).findFirst();
  }

  /** The program's region that a local key names. */
  public Optional<Region> regionOfLkey(int lkey) {
    return regions.stream()
        .filter(region -> region.owner() == Region.Owner.PROGRAM && region.lkey() == lkey)
        .findFirst();
  }

  /** The region of an owner that a remote key names. */
  public Optional<Region> regionOfRkey(Region.Owner owner, int rkey) {
    return regions.stream()
        .filter(region -> region.owner() == owner && region.rkey() == rkey)
        .findFirst();
  }
}
