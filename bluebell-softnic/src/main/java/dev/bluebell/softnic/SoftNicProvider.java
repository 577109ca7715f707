package dev.bluebell.softnic;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaProvider;
import dev.bluebell.hca.NativeAccess;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.util.List;
import java.util.Optional;

/**
 * The provider of the device {@code soft}, with options such as {@code
 * soft:engine=poll,recorder=65536} or {@code soft:loss=5%,seed=7}.
 */
public final class SoftNicProvider implements HcaProvider {
  private static final int PRIORITY = 100;

  @Override
  public List<String> names() {
    return List.of(SoftNic.NAME);
  }

  @Override
  public int priority() {
    return PRIORITY;
  }

  @Override
  public Optional<Hca> open(String name) {
    if (!name.equals(SoftNic.NAME) && !name.startsWith(SoftNic.NAME + ":")) {
      return Optional.empty();
    }
    NativeAccess.require();
    if (name.equals(SoftNic.NAME)) {
      return Optional.of(SoftNic.open(SoftNicOptions.DEFAULT));
    }
    return Optional.of(
        SoftNic.open(SoftNicOptions.parse(name.substring(SoftNic.NAME.length() + 1))));
  }
}
