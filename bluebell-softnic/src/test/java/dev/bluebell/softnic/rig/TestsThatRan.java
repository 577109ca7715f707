package dev.bluebell.softnic.rig;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Remembers which test classes ran in this JVM. */
public final class TestsThatRan implements AfterAllCallback {
  private static final Set<String> NAMES = ConcurrentHashMap.newKeySet();

  @Override
  public void afterAll(ExtensionContext context) {
    NAMES.add(context.getRequiredTestClass().getName());
  }

  /** Fully qualified names of the classes. */
  public static Set<String> names() {
    return Set.copyOf(NAMES);
  }
}
