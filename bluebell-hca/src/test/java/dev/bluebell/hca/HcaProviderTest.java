package dev.bluebell.hca;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HcaProviderTest {
  /** A provider without devices. */
  public static final class NoDevices implements HcaProvider {
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
      return Optional.empty();
    }
  }

  @Test
  void providersBesideTheInterfaceAreFoundWhateverTheThreadsContextClassLoader(@TempDir Path folder)
      throws Exception {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(services.resolve(HcaProvider.class.getName()), NoDevices.class.getName());
    URL[] places = {folder.toUri().toURL(), place(HcaProvider.class), place(NoDevices.class)};
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
    try (URLClassLoader loader = new URLClassLoader(places, ClassLoader.getPlatformClassLoader())) {
      Class<?> type = Class.forName(HcaProvider.class.getName(), true, loader);
      assertThat((List<?>) type.getMethod("all").invoke(null))
          .singleElement()
          .extracting(provider -> provider.getClass().getName())
          .isEqualTo(NoDevices.class.getName());
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static URL place(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }
}
