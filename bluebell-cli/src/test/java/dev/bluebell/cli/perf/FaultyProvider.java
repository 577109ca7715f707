package dev.bluebell.cli.perf;

import dev.bluebell.cli.perf.FaultyHca.Fault;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaProvider;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.util.List;
import java.util.Optional;

/** Provides faulty devices for tests, such as {@code faulty:DROP:500}: message 500 is dropped. */
public final class FaultyProvider implements HcaProvider {
  private static final String PREFIX = "faulty:";

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
    if (!name.startsWith(PREFIX)) {
      return Optional.empty();
    }
    String[] options = name.substring(PREFIX.length()).split(":");
    SoftNic device = SoftNic.open(SoftNicOptions.DEFAULT.withEngine(EngineMode.POLL));
    return Optional.of(
        new FaultyHca(device, Fault.valueOf(options[0]), Integer.parseInt(options[1])));
  }
}
