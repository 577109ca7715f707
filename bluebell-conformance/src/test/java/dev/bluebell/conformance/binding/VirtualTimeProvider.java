package dev.bluebell.conformance.binding;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaProvider;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Offers the device {@code virtual}, with a lossy fabric {@code lossy}, and with an InfiniBand port
 * of four LIDs {@code infiniband}, to those who ask for them by name.
 */
public final class VirtualTimeProvider implements HcaProvider {
  private static final long DELAY_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  /** The same for each run, so that a test that fails once fails again. */
  private static final long SEED = 1;

  private static final LossOptions LOSSY = new LossOptions(0.05, 0.05, 0.05, DELAY_NANOS, SEED);

  private static final String INFINIBAND = "link=infiniband,lmc=2";

  @Override
  public List<String> names() {
    return List.of("virtual", "lossy", "infiniband");
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
      default -> Optional.empty();
    };
  }
}
