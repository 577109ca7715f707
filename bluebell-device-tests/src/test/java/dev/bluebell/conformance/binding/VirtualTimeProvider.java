package dev.bluebell.conformance.binding;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaProvider;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Provider of the devices {@code virtual}, {@code lossy} with a lossy fabric, {@code infiniband}
 * with an InfiniBand port of four LIDs, and {@code network} with packets over the network. They are
 * opened only by name.
 */
public final class VirtualTimeProvider implements HcaProvider {
  private static final long DELAY_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  /** The same for each run, so failures are reproducible. */
  private static final long SEED = 1;

  private static final LossOptions LOSSY = new LossOptions(0.05, 0.05, 0.05, DELAY_NANOS, SEED);

  private static final AtomicInteger NETWORKS = new AtomicInteger();

  private static final String INFINIBAND = "link=infiniband,lmc=2";

  @Override
  public List<String> names() {
    return List.of("virtual", "lossy", "infiniband", "network");
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public Optional<Hca> open(String name) {
    return switch (name) {
      case "virtual" -> Optional.of(VirtualTime.open(SoftNicOptions.DEFAULT));
      case "lossy" -> Optional.of(VirtualTime.open(SoftNicOptions.DEFAULT.withLoss(LOSSY)));
      case "infiniband" -> Optional.of(VirtualTime.open(SoftNicOptions.parse(INFINIBAND)));
      case "network" -> Optional.of(VirtualTime.open(SoftNicOptions.parse(network())));
      default -> Optional.empty();
    };
  }

  /**
   * With an address of its own, because tests run at the same time, and one that tests of other
   * processes are unlikely to use.
   */
  private static String network() {
    long pid = ProcessHandle.current().pid();
    return "listen=127.%d.%d.%d,hairpin=on"
        .formatted(64 + (pid >>> 8 & 0x3f), pid & 0xff, 1 + NETWORKS.getAndIncrement() % 254);
  }
}
