package dev.bluebell.softnic;

import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.transport.Link;
import java.util.function.UnaryOperator;

/** Opens stepped devices, also with a fabric of the test's own, which only this package may. */
public final class Rigs {
  private static final int RECORDER_ENTRIES = 4096;

  private Rigs() {}

  public static Rig open() {
    return open(UnaryOperator.identity());
  }

  /**
   * @param fabric makes the fabric from the device's own
   */
  public static Rig open(UnaryOperator<Link> fabric) {
    ManualClock clock = new ManualClock();
    SoftNicOptions options =
        SoftNicOptions.DEFAULT
            .withEngine(EngineMode.STEPPED)
            .withClock(clock)
            .withRecorderEntries(RECORDER_ENTRIES);
    return new Rig(SoftNic.open(options, fabric), clock);
  }

  /** Executes a command past the handles that normally stand in front of the firmware. */
  public static byte[] command(SoftNic nic, byte[] command) {
    return nic.command(command);
  }
}
