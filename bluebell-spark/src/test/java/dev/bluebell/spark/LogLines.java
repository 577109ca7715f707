package dev.bluebell.spark;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.spark.SparkConf;

/** Collects the shuffle's warnings in this process while it is open. */
final class LogLines implements AutoCloseable {
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  private final Logger logger;
  private final AbstractAppender appender =
      new AbstractAppender("lines", null, null, true, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
          if (event.getLevel().equals(Level.WARN)) {
            lines.add(event.getMessage().getFormattedMessage());
          }
        }
      };

  LogLines() {
    // Spark configures logging at its first message, which discards earlier configuration.
    org.slf4j.Logger unused = new SparkConf(false).log();
    logger = (Logger) LogManager.getLogger("dev.bluebell.spark");
    logger.setLevel(Level.WARN);
    appender.start();
    logger.addAppender(appender);
  }

  List<String> all() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    logger.removeAppender(appender);
  }
}
