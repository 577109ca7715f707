/** Reads flight records, and writes them as HTML pages. */
module dev.bluebell.report {
  requires dev.bluebell.hca;
  requires static org.jspecify;

  exports dev.bluebell.report to
      dev.bluebell.cli,
      dev.bluebell.test;
  exports dev.bluebell.report.guide to
      dev.bluebell.cli;
  exports dev.bluebell.report.timeline to
      dev.bluebell.cli;
}
