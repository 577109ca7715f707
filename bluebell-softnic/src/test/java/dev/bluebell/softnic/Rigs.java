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

/** Opens stepped devices, also with a fabric of the test's own, which only this package can do. */
public final class Rigs {
  private static final int RECORDER_ENTRIES = 4096;

  private Rigs() {}

  public static Rig open() {
    return open((inside, sink) -> inside);
  }

  /**
   * @param fabric makes the fabric from the device's own and from the receiver of its packets
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

  /** A device whose memory reorders payload, with a lossy fabric. */
  public static Rig open(ReorderOptions reorder, LossOptions loss) {
    ManualClock clock = new ManualClock();
    return new Rig(SoftNic.open(options(clock).withReorder(reorder).withLoss(loss)), clock);
  }

  /** A device whose memory reorders payload, with a fabric of the test's own. */
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

  /** A device with these options for the execution of work queue entries. */
  public static Rig open(UnaryOperator<SoftNicOptions> change) {
    ManualClock clock = new ManualClock();
    return new Rig(SoftNic.open(change.apply(options(clock))), clock);
  }

  /** A device with an InfiniBand port. */
  public static Rig openInfiniBand(UnaryOperator<SoftNicOptions> change) {
    return open(options -> change.apply(options.withLinkLayer(LinkLayer.INFINIBAND)));
  }

  /** A device that starts only rung requests, and loses doorbells that a card may lose. */
  public static Rig openStrict() {
    ManualClock clock = new ManualClock();
    return new Rig(SoftNic.open(options(clock).withStrictDoorbells(true)), clock);
  }

  /** A device with virtual time: its clock jumps whenever the device is idle. */
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

  /** Executes a command directly, without the handles in front of the firmware. */
  public static byte[] command(SoftNic nic, byte[] command) {
    return nic.command(command);
  }
}
