package dev.bluebell.program.image;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The image of a program to install. It needs no start: queues that are not managed execute from
 * index 0 to the last posted entry, and wait there for the client's message.
 *
 * @param queues the queue pairs
 * @param completionQueues numbers of the completion queues, all of which ignore overrun
 * @param regions all memory that entries access: rings, data, and memory of the client
 * @param entryPoints entry points for the client's messages
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
   * A copy in which a separate queue pair receives messages.
   *
   * @param name name of the queue pair
   * @param qpn its number
   * @param send its send ring, with nothing posted
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

  /** The queue pair with a number. */
  public Optional<Queue> queue(int qpn) {
    return queues.stream().filter(queue -> queue.qpn() == qpn).findFirst();
  }

  /** The program's region with a local key. */
  public Optional<Region> regionOfLkey(int lkey) {
    return regions.stream()
        .filter(region -> region.owner() == Region.Owner.PROGRAM && region.lkey() == lkey)
        .findFirst();
  }

  /** The region of an owner with a remote key. */
  public Optional<Region> regionOfRkey(Region.Owner owner, int rkey) {
    return regions.stream()
        .filter(region -> region.owner() == owner && region.rkey() == rkey)
        .findFirst();
  }
}
