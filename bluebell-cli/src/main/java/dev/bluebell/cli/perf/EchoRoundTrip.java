package dev.bluebell.cli.perf;

/** One message and its echo. */
final class EchoRoundTrip extends RoundTrip {
  private final Echoes echo;

  EchoRoundTrip(Echoes echo) {
    this.echo = echo;
  }

  @Override
  void prepare(int trips, long first) {
    echo.prepare(trips);
  }

  @Override
  void go(int trip) {
    echo.runUntil(trip + 1);
  }

  @Override
  void settle(int trip) {
    // The next poll takes the completions of the requests.
  }

  @Override
  boolean verify() {
    return echo.verify();
  }

  @Override
  int ways() {
    return 1;
  }
}
