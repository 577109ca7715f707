package dev.bluebell.verifier;

import dev.bluebell.program.image.EntryPoint;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Right;
import dev.bluebell.program.image.Ring;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Builds images by hand. */
final class ImageBuilder {
  private static final Set<Right> ALL = EnumSet.allOf(Right.class);

  final List<QueueBuilder> queues = new ArrayList<>();
  final List<Region> regions = new ArrayList<>();
  private final List<EntryPoint> entries = new ArrayList<>();

  /** A region of the program; its lkey and rkey are the same number. */
  ImageBuilder region(String name, long address, int key, byte[] bytes) {
    regions.add(new Region(name, Region.Owner.PROGRAM, address, bytes, key, key, ALL));
    return this;
  }

  ImageBuilder clientRegion(String name, long address, int key, int length) {
    regions.add(new Region(name, Region.Owner.CLIENT, address, new byte[length], key, key, ALL));
    return this;
  }

  /** A queue pair; its CQs are 2·(position) + 1 for what it sends and one more for what arrives. */
  QueueBuilder queue(String name, int peer, boolean managed, int logSlots) {
    int number = queues.size();
    QueueBuilder queue = new QueueBuilder(name, number, peer, managed, logSlots);
    queues.add(queue);
    return queue;
  }

  ImageBuilder entry(QueueBuilder queue, int bytes) {
    entries.add(new EntryPoint("ask", queue.qpn, bytes));
    return this;
  }

  ProgramImage build() {
    List<Queue> built = new ArrayList<>();
    List<Region> all = new ArrayList<>(regions);
    List<Integer> cqs = new ArrayList<>();
    for (QueueBuilder queue : queues) {
      Region sends =
          new Region(
              queue.name + ".send",
              Region.Owner.PROGRAM,
              queue.address(),
              queue.sends.clone(),
              queue.key,
              queue.key,
              ALL);
      Region receives =
          new Region(
              queue.name + ".receive",
              Region.Owner.PROGRAM,
              queue.receiveAddress(),
              queue.receives.clone(),
              queue.key + 0x80,
              queue.key + 0x80,
              ALL);
      all.add(sends);
      all.add(receives);
      built.add(
          new Queue(
              queue.name,
              queue.qpn,
              queue.peer,
              queue.managed,
              true,
              new Ring(sends, 0, 6, queue.logSlots, Math.min(queue.next, 1 << queue.logSlots)),
              new Ring(receives, 0, 6, 3, queue.posted),
              queue.record,
              queue.sendCq(),
              queue.receiveCq()));
      cqs.add(queue.sendCq());
      cqs.add(queue.receiveCq());
    }
    return new ProgramImage(built, cqs, all, entries);
  }
}
