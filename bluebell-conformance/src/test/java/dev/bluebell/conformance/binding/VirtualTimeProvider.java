package dev.bluebell.conformance.binding;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaProvider;
import java.util.List;
import java.util.Optional;

/** Offers the device {@code virtual} to those who ask for it by name. */
public final class VirtualTimeProvider implements HcaProvider {
  @Override
  public List<String> names() {
    return List.of("virtual");
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public Optional<Hca> open(String name) {
    return name.equals("virtual") ? Optional.of(new VirtualTimeHca()) : Optional.empty();
  }
}
