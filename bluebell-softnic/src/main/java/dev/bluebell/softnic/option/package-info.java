/** What a device is asked to be: options as records, and the clock that it reads. */
@NullMarked
package dev.bluebell.softnic.option;

import org.jspecify.annotations.NullMarked;
