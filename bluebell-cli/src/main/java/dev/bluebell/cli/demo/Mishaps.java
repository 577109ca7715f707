package dev.bluebell.cli.demo;

import java.util.List;
import java.util.stream.Stream;

/** Mistakes that applications make. */
final class Mishaps {
  private Mishaps() {}

  static List<Mishap> all() {
    return Stream.of(
            KeyMishaps.all(),
            WindowMishaps.all(),
            MessageMishaps.all(),
            RequestMishaps.all(),
            DoorbellMishaps.all(),
            CompletionMishaps.all(),
            CompressionMishaps.all(),
            ManagedMishaps.all(),
            DriverMishaps.all())
        .flatMap(List::stream)
        .toList();
  }
}
