package dev.bluebell.softnic;

import dev.bluebell.hca.LinkLayer;
import dev.bluebell.softnic.fabric.Fabric;
import dev.bluebell.softnic.fabric.PacketSink;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.ReorderOptions;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.option.Timing;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.Rig;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** Opens stepped devices, also with a fabric of the test's own, which only this package may. */
public final class Rigs {
  private static final int RECORDER_ENTRIES = 4096;

  private Rigs() {}

  public static Rig open() {
    return open((inside, sink) -> inside);
  }

  /**
   * @param fabric makes the fabric from the device's own, and from who takes its packets
   */
  public static Rig open(BiFunction<Fabric, PacketSink, Fabric> fabric) {
    ManualClock clock = new ManualClock();
    return new Rig(
        SoftNic.open(options(clock), (inside, sink, chip) -> fabric.apply(inside, sink)), clock);
  }

  /** A device with a lossy fabric. */
  public static Rig open(LossOptions loss) {
    ManualClock clock = new ManualClock();
    return new Rig(SoftNic.open(options(clock).withLoss(loss)), clock);
  }

  /** A device whose memory reorders payload. */
  public static Rig open(ReorderOptions reorder) {
    ManualClock clock = new ManualClock();
    return new Rig(SoftNic.open(options(clock).withReorder(reorder)), clock);
  }

  /** The same with a lossy fabric. */
  public static Rig open(ReorderOptions reorder, LossOptions loss) {
    ManualClock clock = new ManualClock();
    return new Rig(SoftNic.open(options(clock).withReorder(reorder).withLoss(loss)), clock);
  }

  /** The same with a fabric of the test's own. */
  public static Rig open(ReorderOptions reorder, BiFunction<Fabric, PacketSink, Fabric> fabric) {
    ManualClock clock = new ManualClock();
    return new Rig(
        SoftNic.open(
            options(clock).withReorder(reorder),
            (inside, sink, chip) -> fabric.apply(inside, sink)),
        clock);
  }

  /** A device with options and a fabric of the test's own. */
  public static Rig open(
      UnaryOperator<SoftNicOptions> change, BiFunction<Fabric, PacketSink, Fabric> fabric) {
    ManualClock clock = new ManualClock();
    return new Rig(
        SoftNic.open(
            change.apply(options(clock)), (inside, sink, chip) -> fabric.apply(inside, sink)),
        clock);
  }

  /** A device that treats work queue entries in a way of its own. */
  public static Rig open(UnaryOperator<SoftNicOptions> change) {
    ManualClock clock = new ManualClock();
    return new Rig(SoftNic.open(change.apply(options(clock))), clock);
  }

  /** A device with an InfiniBand port. */
  public static Rig openInfiniBand(UnaryOperator<SoftNicOptions> change) {
    return open(options -> change.apply(options.withLinkLayer(LinkLayer.INFINIBAND)));
  }

  /** A device that starts only what was rung, and loses what a card may lose of doorbells. */
  public static Rig openStrict() {
    ManualClock clock = new ManualClock();
    return new Rig(SoftNic.open(options(clock).withStrictDoorbells(true)), clock);
  }

  /** A device with virtual time: its clock jumps whenever it waits for nothing else. */
  public static Rig open(Timing timing) {
    ManualClock clock = new ManualClock();
    return new Rig(SoftNic.open(options(clock).withTiming(timing)), clock);
  }

  private static SoftNicOptions options(ManualClock clock) {
    return SoftNicOptions.DEFAULT
        .withEngine(EngineMode.STEPPED)
        .withClock(clock)
        .withIdentity(Addresses.IDENTITY)
        .withRecorderEntries(RECORDER_ENTRIES);
  }

  /** Executes a command past the handles that normally stand in front of the firmware. */
  public static byte[] command(SoftNic nic, byte[] command) {
    return nic.command(command);
  }
}
