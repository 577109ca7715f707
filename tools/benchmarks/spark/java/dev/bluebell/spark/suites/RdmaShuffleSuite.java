package dev.bluebell.spark.suites;

import org.apache.spark.ShuffleSuite;

/** Spark's tests of any shuffle, with the shuffle manager that system properties name. */
public class RdmaShuffleSuite extends ShuffleSuite {
  /** For the runner. */
  public RdmaShuffleSuite() {
    System.getProperties()
        .forEach(
            (key, value) -> {
              if (key.toString().startsWith("spark.")) {
                conf().set(key.toString(), value.toString());
              }
            });
  }
}
