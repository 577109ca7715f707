/** The engine: the scheduler of the device, its thread, and its lock. */
@NullMarked
package dev.bluebell.softnic.engine;

import org.jspecify.annotations.NullMarked;
