package dev.bluebell.cli.share;

import dev.bluebell.hca.ForwardingHca;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaProvider;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Provides a device whose close never returns, like one that waits for a page for ever. */
public final class StuckProvider implements HcaProvider {
  static final String NAME = "stuck";

  @Override
  public List<String> names() {
    return List.of();
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public Optional<Hca> open(String name) {
    return name.equals(NAME) ? Optional.of(new Stuck()) : Optional.empty();
  }

  private static final class Stuck extends ForwardingHca {
    Stuck() {
      super(SoftNic.open(SoftNicOptions.DEFAULT));
    }

    @Override
    public void close() {
      while (true) {
        LockSupport.park();
      }
    }
  }
}
